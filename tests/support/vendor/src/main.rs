//! The stand-in as a process: `vendor-stand-in [--listen ADDRESS] [--token TOKEN] [--rate N] [--assets
//! self|ORIGIN] FOLDER…`
#![allow(clippy::panic, clippy::expect_used, reason = "a part of the tests fails as tests do")]

use vendor_stand_in::{Options, StandIn};

#[tokio::main]
async fn main() {
    let mut options = Options::of([]);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} needs a value"));
        match argument.as_str() {
            "--listen" => options.listen = value().parse().expect("an address with a port"),
            "--token" => options.token = value(),
            "--rate" => options.rate = Some(value().parse().expect("a number of requests a second")),
            "--assets" => options.assets = Some(value()),
            option if option.starts_with('-') => panic!("{option} is not known"),
            folder => options.folders.push(folder.into()),
        }
    }
    let stand_in = StandIn::start(options).await;
    println!("{}", stand_in.origin());
    stand_in.run().await;
}
