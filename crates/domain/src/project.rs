//! Projects.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ProjectId, Timestamp};

/// A directory on disk: the agents' working directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// The directory: absolute, canonical, unique among projects.
    pub path: String,
    /// What the user calls it; at first the directory's own name.
    pub name: String,
    /// Whether the directory is in a git work tree.
    pub is_git: bool,
    /// Whether the directory was gone when last looked at.
    pub missing: bool,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}
