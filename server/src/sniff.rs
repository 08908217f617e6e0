//! What some bytes are and what a file may be called: told from the bytes, never from what the sender says.

/// How many bytes [`mime_type`] looks at.
pub(crate) const LOOK: usize = 512;
/// The longest name, in bytes: what file systems take.
const NAME_BYTES: usize = 255;

/// The type of a file that begins with these bytes.
pub(crate) fn mime_type(start: &[u8]) -> &'static str {
    let start = &start[..start.len().min(LOOK)];
    let known: [(&[u8], usize, &str); 16] = [
        (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
        (b"\xff\xd8\xff", 0, "image/jpeg"),
        (b"GIF87a", 0, "image/gif"),
        (b"GIF89a", 0, "image/gif"),
        (b"WEBPVP8", 8, "image/webp"),
        (b"ftypavif", 4, "image/avif"),
        (b"ftyphei", 4, "image/heic"),
        (b"ftypmif1", 4, "image/heic"),
        (b"WAVEfmt ", 8, "audio/wav"),
        (b"ID3", 0, "audio/mpeg"),
        (b"OggS", 0, "audio/ogg"),
        (b"fLaC", 0, "audio/flac"),
        (b"%PDF-", 0, "application/pdf"),
        (b"PK\x03\x04", 0, "application/zip"),
        (b"\x1f\x8b", 0, "application/gzip"),
        (b"\x7fELF", 0, "application/octet-stream"),
    ];
    let found = known.iter().find(|(magic, at, _)| start.get(*at..).is_some_and(|rest| rest.starts_with(magic)));
    match found {
        Some((_, _, mime_type)) => mime_type,
        None if is_text(start) => "text/plain",
        None => "application/octet-stream",
    }
}

/// Whether these are characters, perhaps cut off in the middle of one.
fn is_text(start: &[u8]) -> bool {
    let whole = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            let (whole, _) = start.split_at(error.valid_up_to());
            std::str::from_utf8(whole).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let strange = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\x0c' | '\x1b');
    !whole.is_empty() && !whole.contains(strange)
}

/// A name that is safe to show and to save under: the last part of a path, on one line, in the direction in which it is read.
pub(crate) fn clean_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean: String = last.chars().filter(|c| !c.is_control() && !is_bidi_control(*c)).collect();
    let clean = clean.trim().trim_start_matches('.').trim();
    let end = clean.floor_char_boundary(NAME_BYTES.min(clean.len()));
    match &clean[..end] {
        "" => "file".to_owned(),
        name => name.to_owned(),
    }
}

/// Characters that make a name read otherwise than it is, as `gpj.exe` for `exe.jpg`.
const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_told_from_the_bytes() {
        for (start, expected) in [
            (&b"\x89PNG\r\n\x1a\nrest"[..], "image/png"),
            (b"\xff\xd8\xff\xe0", "image/jpeg"),
            (b"GIF89a..", "image/gif"),
            (b"RIFF\x10\0\0\0WEBPVP8L", "image/webp"),
            (b"RIFF\x10\0\0\0WAVEfmt ", "audio/wav"),
            (b"ID3\x04\0", "audio/mpeg"),
            (b"\0\0\0\x20ftypavif", "image/avif"),
            (b"\0\0\0\x18ftypheic", "image/heic"),
            (b"%PDF-1.7", "application/pdf"),
            (b"<script>alert(1)</script>", "text/plain"),
            (b"<svg xmlns='x'/>", "text/plain"),
            ("only text, ü\n\t名".as_bytes(), "text/plain"),
            (&"ü".as_bytes()[..1], "application/octet-stream"),
            (&"aü".as_bytes()[..2], "text/plain"),
            (b"a\0b", "application/octet-stream"),
            (b"\xff\xfeh\0i\0", "application/octet-stream"),
            (b"", "application/octet-stream"),
            (b"\x89PN", "application/octet-stream"),
        ] {
            assert_eq!(mime_type(start), expected, "{start:?}");
        }
    }

    #[test]
    fn a_name_has_no_path_no_tricks_and_an_end() {
        for (name, expected) in [
            ("a b ü名.png", "a b ü名.png"),
            ("../../x<y>.html", "x<y>.html"),
            ("C:\\Users\\me\\x.txt", "x.txt"),
            ("/etc/passwd", "passwd"),
            ("..", "file"),
            (".bashrc", "bashrc"),
            ("", "file"),
            ("a\nb\0c\u{202e}gpj.exe", "abcgpj.exe"),
            ("  x  ", "x"),
        ] {
            assert_eq!(clean_name(name), expected, "{name:?}");
        }
        assert_eq!(clean_name(&"ü".repeat(300)).len(), 254);
    }
}
