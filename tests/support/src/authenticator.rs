//! An authenticator app, implemented from the RFCs (6238, 4226, 2104, 3174 and 4648) without the server's
//! libraries, so that it shares no mistake with them.

use jiff::Timestamp;

/// The app with one secret.
#[derive(Clone)]
pub struct Authenticator(Vec<u8>);

impl Authenticator {
    /// An app with a secret as it is typed: base32 without padding.
    pub fn holding(secret: &str) -> Self {
        let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
        for letter in secret.bytes() {
            let value = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'2'..=b'7' => letter - b'2' + 26,
                _ => panic!("{secret} is no base32"),
            };
            bits = (bits << 5 | u32::from(value)) & 0xfff;
            held += 5;
            if held >= 8 {
                held -= 8;
                bytes.push(u8::try_from(bits >> held & 0xff).unwrap());
            }
        }
        Self(bytes)
    }

    /// The secret.
    pub fn secret(&self) -> &[u8] {
        &self.0
    }

    /// The present code.
    pub fn code(&self, at: Timestamp) -> String {
        self.code_of_step(at.as_second() / 30)
    }

    /// The code some steps later, or earlier.
    pub fn code_off(&self, at: Timestamp, steps: i64) -> String {
        self.code_of_step(at.as_second() / 30 + steps)
    }

    fn code_of_step(&self, step: i64) -> String {
        let digest = hmac(&self.0, &step.to_be_bytes());
        let offset = usize::from(digest[19] & 0xf);
        let number = u32::from_be_bytes(digest[offset..offset + 4].try_into().unwrap()) & 0x7fff_ffff;
        format!("{:06}", number % 1_000_000)
    }
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 20] {
    assert!(key.len() <= 64, "a longer one would have to be hashed");
    let pad = |with: u8| -> Vec<u8> { (0..64).map(|at| key.get(at).copied().unwrap_or_default() ^ with).collect() };
    let inner = sha1(&[&pad(0x36), message].concat());
    sha1(&[&pad(0x5c), inner.as_slice()].concat())
}

#[expect(clippy::many_single_char_names, reason = "the names of RFC 3174")]
fn sha1(message: &[u8]) -> [u8; 20] {
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((message.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let mut words: Vec<u32> = block.chunks(4).map(|chunk| u32::from_be_bytes(chunk.try_into().unwrap())).collect();
        for at in 16..80 {
            words.push((words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16]).rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (at, word) in words.into_iter().enumerate() {
            let (mixed, constant) = match at {
                0..20 => (b & c | !b & d, 0x5a82_7999),
                20..40 => (b ^ c ^ d, 0x6ed9_eba1),
                40..60 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let next = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e).wrapping_add(constant).wrapping_add(word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (sum, word) in state.iter_mut().zip([a, b, c, d, e]) {
            *sum = sum.wrapping_add(word);
        }
    }
    let mut digest = [0; 20];
    digest.chunks_mut(4).zip(state).for_each(|(to, word)| to.copy_from_slice(&word.to_be_bytes()));
    digest
}

#[test]
fn it_shows_what_the_rfc_says() {
    let app = Authenticator::holding("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    for (second, code) in [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (20_000_000_000, "353130")] {
        assert_eq!(app.code(Timestamp::from_second(second).unwrap()), code);
    }
}
