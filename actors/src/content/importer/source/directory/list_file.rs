//! A file with one list: read once in pieces to find its records, and then record by record.

use super::super::{SourceError, bounds, place::Place};
use crate::content::importer::end_code::EndCode;
use bytes::BytesMut;
use crypto::digest::Sum;
use domain::content::import::Kind;
use egress::vendor::{
    Error, Held,
    splitter::{FoundRecord, Limits, RecordMember, Shape, Splitter},
};
use std::{fs::Metadata, io::SeekFrom, time::SystemTime};
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt},
    sync::Mutex,
};

/// How many bytes of a file are in memory at a time while its records are found.
const PIECE: usize = 256 * 1024;
/// Up to this many bytes between two records are read with them, instead of reading each alone.
const GAP: u64 = 4096;
/// How many bytes of neighbouring records are read at once, about.
const RUN: u64 = 1024 * 1024;
/// What a record takes in bytes as long as the folder is open, with what it takes while the list is ordered.
const SPOT_BYTES: usize = 128;

/// Where a record is in its file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    begin: u64,
    /// Bytes.
    pub(super) length: u32,
    /// What it takes as a tree, in bytes, an estimate.
    pub(super) weight: u32,
}

/// A file whose records were found.
pub(super) struct ListFile {
    name: String,
    file: Mutex<File>,
    /// Its length and the time of its last change when its records were found.
    state: (u64, Option<SystemTime>),
}

impl ListFile {
    /// Finds the records of a kind in the list that is called like the file. `keep` gets each in the order of
    /// the file and returns how many bytes it keeps of it. Also returns the checksum of the file. What is
    /// kept is counted in `held`.
    pub(super) async fn scan(
        (name, mut file): (String, File),
        (kind, wanted, limits): (Kind, &'static [RecordMember], Limits),
        held: &mut Held,
        mut keep: impl FnMut(Place, Spot) -> usize,
    ) -> Result<(Self, [u8; 32]), SourceError> {
        let state = file.metadata().await.map(|metadata| state(&metadata)).map_err(|error| unreadable(&name, &error))?;
        let mut splitter = Splitter::new(wanted, limits);
        let (mut sum, mut piece) = (Sum::default(), BytesMut::with_capacity(PIECE));
        let mut allocated = held.another();
        let mut number = 0_u64;
        loop {
            piece.clear();
            if file.read_buf(&mut piece).await.map_err(|error| unreadable(&name, &error))? == 0 {
                break;
            }
            sum.update(&piece);
            let mut why = None;
            let split = splitter.push(&piece, &mut |found: FoundRecord<'_>| {
                number += 1;
                let place = place(kind, found.text).inspect_err(|error| why = Some(format!("record {number} is no JSON: {error}")));
                let place = place.map_err(|_| Error::Unreadable)?;
                let bits = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
                let spot = Spot { begin: found.begin, length: bits(found.text.len()), weight: bits(found.weight) };
                held.grow(SPOT_BYTES + keep(place, spot))
            });
            split.and_then(|()| allocated.resize(splitter.allocated())).map_err(|error| failure(&name, error, why))?;
        }
        let found = splitter.finish().map_err(|error| failure(&name, error, None))?;
        match (found.as_slice(), wanted) {
            ([true], _) | (_, []) => Ok((Self { name, file: Mutex::new(file), state }, sum.finish())),
            (_, [wanted, ..]) => Err(failure(&name, Error::Unreadable, Some(format!("it has no list {}", wanted.name)))),
        }
    }

    /// Reads records, each with its text. Neighbours are read together.
    pub(super) async fn read(&self, spots: &[Spot], mut take: impl FnMut(&str)) -> Result<(), SourceError> {
        let mut file = self.file.lock().await;
        let metadata = file.metadata().await.map_err(|error| unreadable(&self.name, &error))?;
        if state(&metadata) != self.state {
            return Err(changed(&self.name));
        }
        let mut rest = spots;
        while let Some(first) = rest.first() {
            let (run, others) = rest.split_at(run(rest));
            rest = others;
            let end = run.last().map_or(first.begin, Spot::end);
            let mut bytes = vec![0; usize::try_from(end - first.begin).unwrap_or(0)];
            let read = async {
                file.seek(SeekFrom::Start(first.begin)).await?;
                file.read_exact(&mut bytes).await
            };
            read.await.map_err(|error| unreadable(&self.name, &error))?;
            for spot in run {
                let from = usize::try_from(spot.begin - first.begin).unwrap_or(usize::MAX);
                let text = bytes.get(from..from.saturating_add(spot.length as usize)).map(str::from_utf8);
                take(text.and_then(Result::ok).ok_or_else(|| changed(&self.name))?);
            }
        }
        Ok(())
    }
}

impl Spot {
    fn end(&self) -> u64 {
        self.begin + u64::from(self.length)
    }
}

/// How many of the first records are read together.
fn run(spots: &[Spot]) -> usize {
    let Some(first) = spots.first() else { return 0 };
    let follows = |pair: &&[Spot]| matches!(pair, [one, other] if (one.end()..=one.end() + GAP).contains(&other.begin) && other.end() - first.begin < RUN);
    1 + spots.windows(2).take_while(follows).count()
}

/// The attributes of a record by which it is ordered; an error if it is no JSON.
fn place(kind: Kind, text: &[u8]) -> Result<Place, String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    Place::read(kind, text).map_err(|error| error.to_string())
}

fn state(metadata: &Metadata) -> (u64, Option<SystemTime>) {
    (metadata.len(), metadata.modified().ok())
}

fn changed(name: &str) -> SourceError {
    SourceError::new(
        EndCode::FolderChanged,
        format!("{name} was changed while it was imported. Start the import again: what is here already is left alone"),
    )
}

/// The error of a file that cannot be read.
pub(super) fn unreadable(name: &str, why: &impl ToString) -> SourceError {
    SourceError::new(EndCode::SourceUnreadable, format!("{name} cannot be read: {}", why.to_string()))
}

/// The error of a file whose records cannot be found.
pub(super) fn failure(name: &str, error: Error, why: Option<String>) -> SourceError {
    match bounds::code(error) {
        Some(code) => SourceError::new(code, format!("{name} cannot be imported: {error}")),
        None => unreadable(name, &why.unwrap_or_else(|| "it is no JSON, or ends too early".to_owned())),
    }
}

/// The wanted list of a file.
pub(super) const fn list_of(name: &'static str) -> RecordMember {
    RecordMember { name, shape: Shape::List }
}

#[cfg(test)]
mod tests {
    use super::{RUN, Spot, run};

    #[test]
    fn neighbours_are_read_together_up_to_a_length() {
        let spot = |begin: u64, length: u32| Spot { begin, length, weight: 0 };
        for (spots, together) in [
            (vec![], 0),
            (vec![spot(5, 10)], 1),
            (vec![spot(5, 10), spot(16, 10), spot(5_000, 1)], 2),
            (vec![spot(16, 10), spot(5, 10)], 1),
            (vec![spot(0, 10), spot(11, u32::try_from(RUN).unwrap())], 1),
            (vec![spot(0, u32::MAX), spot(u64::from(u32::MAX), 1)], 1),
        ] {
            assert_eq!(run(&spots), together, "{spots:?}");
        }
    }
}
