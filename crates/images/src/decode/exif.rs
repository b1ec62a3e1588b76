//! The orientation in EXIF metadata, which are a TIFF file within the image (CIPA DC-008).

/// The number of the tag.
const ORIENTATION: u16 = 0x0112;

/// The value of the tag `Orientation` in the first directory.
pub(super) fn orientation(tiff: &[u8]) -> Option<u16> {
    let tiff = tiff.strip_prefix(b"Exif\0\0").unwrap_or(tiff);
    let is_little = match tiff.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes: [u8; 2] = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let offset: [u8; 4] = tiff.get(4..8)?.try_into().ok()?;
    let offset = if is_little { u32::from_le_bytes(offset) } else { u32::from_be_bytes(offset) } as usize;
    let entries = offset.checked_add(2)?;
    (0..usize::from(short(offset)?))
        .map(|number| entries + number * 12)
        .take_while(|entry| entry.checked_add(12).is_some_and(|end| end <= tiff.len()))
        .find(|entry| short(*entry) == Some(ORIENTATION))
        .and_then(|entry| short(entry + 8))
}

#[cfg(test)]
mod tests {
    use super::orientation;

    #[test]
    fn both_byte_orders_are_read_and_broken_ones_are_no_orientation() {
        let little = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
        assert_eq!(orientation(little), Some(6));
        let big = b"MM\0*\0\0\0\x08\0\x02\x01\0\0\x03\0\0\0\x01\0\0\0\0\x01\x12\0\x03\0\0\0\x01\0\x03\0\0";
        assert_eq!(orientation(big), Some(3));
        for end in 0..little.len() - 3 {
            assert_eq!(orientation(&little[..end]), None, "{end}");
        }
        assert_eq!(orientation(b"MM\0*\xff\xff\xff\xff"), None);
    }
}
