//! Animated WebP as libwebp's own decoder reads it, to compare with.
#![expect(unsafe_code, reason = "libwebp is C, and its well-kept Rust interface is the functions themselves")]

use crate::pixels::Pixels;
use libwebp_sys::{
    WebPAnimDecoderDelete, WebPAnimDecoderGetInfo, WebPAnimDecoderGetNext, WebPAnimDecoderNew, WebPAnimInfo, WebPData,
};
use std::{ptr, slice};

/// What a file shows.
pub(super) struct Shown {
    /// How often; 0 is for ever.
    pub(super) times: u32,
    /// The frames with their durations.
    pub(super) frames: Vec<(Pixels, i32)>,
}

/// Reads a file, all of whose frames have to be there.
pub(super) fn read(file: &[u8]) -> Shown {
    let data = WebPData { bytes: file.as_ptr(), size: file.len() };
    // SAFETY: the file lives longer than the decoder, which is deleted at the end, and what it points at is
    // copied before it is asked for more.
    unsafe {
        let decoder = WebPAnimDecoderNew(&raw const data, ptr::null());
        assert!(!decoder.is_null(), "libwebp does not read it");
        let mut info = WebPAnimInfo::default();
        assert_eq!(WebPAnimDecoderGetInfo(decoder, &raw mut info), 1);
        let (width, height) = (info.canvas_width, info.canvas_height);
        let mut before = 0;
        let mut frames = Vec::new();
        for _ in 0..info.frame_count {
            let (mut pixels, mut until) = (ptr::null_mut(), 0);
            assert_eq!(WebPAnimDecoderGetNext(decoder, &raw mut pixels, &raw mut until), 1);
            let data = slice::from_raw_parts(pixels, (width * height * 4) as usize).to_vec();
            frames.push((Pixels { width, height, data, is_opaque: false }, until - before));
            before = until;
        }
        WebPAnimDecoderDelete(decoder);
        Shown { times: info.loop_count, frames }
    }
}
