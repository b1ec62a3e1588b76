//! The chunks of a WebP file, for its metadata.

/// The content of the first chunk of a name.
pub(super) fn chunk(file: &[u8], name: [u8; 4]) -> Option<&[u8]> {
    let mut rest = file.get(12..)?;
    loop {
        let (head, behind) = rest.split_at_checked(8)?;
        let size: [u8; 4] = head.get(4..8)?.try_into().ok()?;
        let size = u32::from_le_bytes(size) as usize;
        if head.starts_with(&name) {
            return behind.get(..size);
        }
        // Chunks begin at even positions.
        rest = behind.get(size.checked_add(size % 2)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::chunk;

    #[test]
    fn a_chunk_is_found_behind_one_of_odd_length() {
        let file = b"RIFF\0\0\0\0WEBPVP8X\x03\0\0\0abc\0EXIF\x02\0\0\0xy";
        assert_eq!(chunk(file, *b"EXIF"), Some(&b"xy"[..]));
        assert_eq!(chunk(file, *b"ICCP"), None);
        assert_eq!(chunk(&file[..file.len() - 1], *b"EXIF"), None);
        assert_eq!(chunk(b"RIFF", *b"EXIF"), None);
    }
}
