//! Prints the files of docs/openapi as one document, for scripts/openapi.sh. What follows from the tables of
//! endpoints, only a server knows.

fn main() {
    println!("{}", openapi::WRITTEN);
}
