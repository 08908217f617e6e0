//! What the text of an answer can hold, and what stands beside text.

use serde_json::json;

use crate::pace::Beat;
use crate::stage::{Played, Stage};

/// A picture of 192 by 64 pixels: six dots of a herd, as PNG in base64.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAMAAAABACAMAAAB7sojtAAAABlBMVEUmJCH1piOxaMVdAAAAtklEQVR42u2YQQ7AIAgE3f9/uqcmPTYKwurMAwxjtbCOAQAAAHAGsi7+xXMX9cVwF6VYA43VbVyqf9Fgeo3pEqRIg4JjECpQcAykQIP5RRBAoOoiSmkGHCEELuwD/p3Yfxbyn0bbDoKbtHISmUHg/FV+98CpzoGzokVG/mTJa0xKRb02NC3Yxx0EigUqLqKUaMARQuC6PsCbRYM3C/dp9IA80Dbyl2finK/XBvPyt74LAQAA7OQBcAUGx1yID8oAAAAASUVORK5CYII=";

/// All that Markdown can say.
pub(super) fn markdown(stage: &mut Stage<'_>) -> Played {
    let words = stage.words();
    for piece in words.markdown {
        stage.say(piece)?;
        stage.pause(Beat::Line)?;
    }
    Ok(())
}

/// A picture.
pub(super) fn picture(stage: &mut Stage<'_>) -> Played {
    stage.say(stage.words().picture)?;
    let image = json!({"type": "image", "mimeType": "image/png", "data": PICTURE});
    stage.update(&json!({"sessionUpdate": "agent_message_chunk", "content": image}))?;
    stage.pause(Beat::Step)
}
