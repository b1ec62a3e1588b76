//! Bodies of forms with files (RFC 7578).

/// A part of a form: name, file name, value.
pub type Part<'a> = (&'a str, Option<&'a str>, &'a [u8]);

/// A form's content type and body.
pub fn form(parts: &[Part<'_>]) -> (&'static str, Vec<u8>) {
    let mut body = Vec::new();
    for (name, file, value) in parts {
        let file = file.map(|file| format!("; filename=\"{file}\"\r\nContent-Type: image/png")).unwrap_or_default();
        body.extend_from_slice(format!("--line\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").as_bytes());
        body.extend_from_slice(value);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--line--\r\n");
    ("multipart/form-data; boundary=line", body)
}
