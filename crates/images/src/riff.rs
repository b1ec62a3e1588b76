//! The chunks of a WebP file (RFC 9649): a name of four letters, a length, and bytes.

/// The chunks of a file. What is cut off at its end is left out.
pub(crate) fn of_file(file: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    chunks(file.get(12..).unwrap_or_default())
}

/// The chunks that lie one behind the other in these bytes.
pub(crate) fn chunks(mut rest: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let (head, behind) = rest.split_at_checked(8)?;
        let name: [u8; 4] = head.get(..4)?.try_into().ok()?;
        let size: [u8; 4] = head.get(4..)?.try_into().ok()?;
        let size = u32::from_le_bytes(size) as usize;
        let content = behind.get(..size)?;
        // Chunks begin at even positions. The byte between the last one and the end may be missing.
        rest = behind.get(size + size % 2..).unwrap_or_default();
        Some((name, content))
    })
}

/// The content of the first chunk of a name.
pub(crate) fn find(file: &[u8], name: [u8; 4]) -> Option<&[u8]> {
    of_file(file).find_map(|(found, content)| (found == name).then_some(content))
}

/// Adds a chunk.
pub(crate) fn push(file: &mut Vec<u8>, name: [u8; 4], content: &[u8]) -> Result<(), std::num::TryFromIntError> {
    file.extend(name);
    file.extend(u32::try_from(content.len())?.to_le_bytes());
    file.extend_from_slice(content);
    if content.len() % 2 == 1 {
        file.push(0);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{chunks, find, push};
    use proptest::prelude::*;

    #[test]
    fn a_chunk_is_found_behind_one_of_odd_length() {
        let file = b"RIFF\0\0\0\0WEBPVP8X\x03\0\0\0abc\0EXIF\x02\0\0\0xy";
        assert_eq!(find(file, *b"EXIF"), Some(&b"xy"[..]));
        assert_eq!(find(file, *b"ICCP"), None);
        assert_eq!(find(&file[..file.len() - 1], *b"EXIF"), None);
        assert_eq!(find(b"RIFF", *b"EXIF"), None);
    }

    proptest! {
        #[test]
        fn chunks_are_read_as_they_were_written(written in prop::collection::vec((any::<[u8; 4]>(), prop::collection::vec(any::<u8>(), 0..9)), 0..9)) {
            let mut file = Vec::new();
            for (name, content) in &written {
                push(&mut file, *name, content).unwrap();
            }
            let read: Vec<_> = chunks(&file).map(|(name, content)| (name, content.to_vec())).collect();
            prop_assert_eq!(read, written);
        }

        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(chunks(&bytes).count() <= bytes.len() / 8);
        }
    }
}
