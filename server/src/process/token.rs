//! The bearer token of the API: `token` in the data directory, for programs of the same user.

use std::io;
use std::path::Path;

use super::private;
use crate::secret;

/// The token of a data directory, made if there is none. The file is 0600 whatever it was.
pub(crate) fn load_or_make(path: &Path) -> io::Result<String> {
    let token = match read(path) {
        Some(token) => token,
        None => secret::fresh()?,
    };
    private::replace(path, format!("{token}\n").as_bytes())?;
    Ok(token)
}

/// The token, where there is one.
pub(crate) fn read(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let token = text.trim();
    // A shorter one was cut off or typed by hand: it could be guessed.
    (token.len() >= 32 && token.bytes().all(|b| b.is_ascii_graphic())).then(|| token.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_token_stays_and_is_private() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        let first = load_or_make(&path).unwrap();
        assert_eq!(first.len(), 64);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(load_or_make(&path).unwrap(), first);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_token_that_was_cut_off_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        for cut in ["", "abc", "with a blank that is no part of any token at all"] {
            fs::write(&path, cut).unwrap();
            assert_eq!(load_or_make(&path).unwrap().len(), 64, "{cut:?}");
        }
    }
}
