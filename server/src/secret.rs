//! Secrets: made of the system's randomness, kept as hashes, compared in constant time.

use std::io;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// A new secret: 256 random bits in lower-case hexadecimal.
pub(crate) fn fresh() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(&bytes))
}

/// What is kept of a secret: its SHA-256 in lower-case hexadecimal. A secret of 256 random bits needs no salt.
pub(crate) fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret))
}

/// Whether a secret is the one with this hash. Takes the same time for every wrong one.
pub(crate) fn matches(secret: &str, hashed: &str) -> bool {
    hash(secret).as_bytes().ct_eq(hashed.as_bytes()).into()
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;

    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secret_itself_matches_its_hash() {
        let secret = fresh().unwrap();
        let hashed = hash(&secret);
        assert!(matches(&secret, &hashed));
        for wrong in ["", "x", &hashed, &secret.to_uppercase(), &secret[1..]] {
            assert!(!matches(wrong, &hashed), "{wrong}");
        }
        assert_ne!(fresh().unwrap(), secret);
    }
}
