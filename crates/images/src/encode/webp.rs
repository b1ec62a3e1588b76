//! WebP, by libwebp. The encoder asks now and then whether it is to go on, so it ends at the deadline.
#![expect(unsafe_code, reason = "libwebp is C, and its well-kept Rust interface is the functions themselves")]

use super::failed;
use crate::{Deadline, Error, pixels::Pixels};
use libwebp_sys::{
    WebPConfig, WebPEncode, WebPMemoryWrite, WebPMemoryWriter, WebPMemoryWriterClear, WebPMemoryWriterInit, WebPPicture,
    WebPPictureFree, WebPPictureImportRGBA, WebPPictureImportRGBX,
};
use std::{ffi::c_int, mem::MaybeUninit, slice};

/// Of 0 to 6. Slower ones save few bytes for the time that they take.
const METHOD: c_int = 4;

pub(super) fn encode(pixels: &Pixels, quality: u8, deadline: &Deadline) -> Result<Vec<u8>, Error> {
    let mut config = WebPConfig::new().map_err(|()| failed("another version of libwebp"))?;
    config.quality = f32::from(quality);
    config.method = METHOD;
    let mut picture = Picture::import(pixels)?;
    let mut writer = Writer::new();
    picture.0.writer = Some(WebPMemoryWrite);
    picture.0.custom_ptr = (&raw mut writer.0).cast();
    picture.0.progress_hook = Some(go_on);
    picture.0.user_data = (&raw const *deadline).cast_mut().cast();
    // SAFETY: the writer and the deadline live until the call is over, and the functions that get them take
    // them for what they are.
    let is_encoded = unsafe { WebPEncode(&raw const config, &raw mut picture.0) } != 0;
    deadline.check()?;
    if is_encoded { Ok(writer.bytes().to_vec()) } else { Err(failed(format!("WebP: {:?}", picture.0.error_code))) }
}

/// Whether the encoder is to go on.
unsafe extern "C" fn go_on(_: c_int, picture: *const WebPPicture) -> c_int {
    // SAFETY: `encode` has put the deadline there, and waits for the encoder.
    let is_over = unsafe { (*picture).user_data.cast::<Deadline>().as_ref() }.is_some_and(|deadline| deadline.check().is_err());
    c_int::from(!is_over)
}

/// A picture of libwebp with memory of its own.
struct Picture(WebPPicture);

impl Picture {
    /// A copy of an image.
    fn import(pixels: &Pixels) -> Result<Self, Error> {
        let mut picture = Self(WebPPicture::new().map_err(|()| failed("another version of libwebp"))?);
        picture.0.width = c_int::try_from(pixels.width).map_err(failed)?;
        picture.0.height = c_int::try_from(pixels.height).map_err(failed)?;
        let stride = picture.0.width.checked_mul(4).ok_or_else(|| failed("too wide"))?;
        let import = if pixels.is_opaque { WebPPictureImportRGBX } else { WebPPictureImportRGBA };
        // SAFETY: the data has `height` rows of `stride` bytes.
        let is_imported = unsafe { import(&raw mut picture.0, pixels.data.as_ptr(), stride) } != 0;
        if is_imported { Ok(picture) } else { Err(failed("no memory for WebP")) }
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        // SAFETY: the picture is initialised, and is not used any more.
        unsafe { WebPPictureFree(&raw mut self.0) }
    }
}

/// The memory that libwebp writes into.
struct Writer(WebPMemoryWriter);

impl Writer {
    fn new() -> Self {
        let mut writer = MaybeUninit::uninit();
        // SAFETY: the function initialises all of it.
        unsafe {
            WebPMemoryWriterInit(writer.as_mut_ptr());
            Self(writer.assume_init())
        }
    }

    fn bytes(&self) -> &[u8] {
        if self.0.mem.is_null() {
            return &[];
        }
        // SAFETY: libwebp has written that many bytes there, and they stay until this is dropped.
        unsafe { slice::from_raw_parts(self.0.mem, self.0.size) }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // SAFETY: the writer is initialised, and is not used any more.
        unsafe { WebPMemoryWriterClear(&raw mut self.0) }
    }
}
