//! The endpoint of the files of assets, and of images made of them: [`files`] and [`images`].

use super::{
    Content,
    files::{self, Address, split},
    images,
};
use crate::{
    ops::Metrics,
    web::{Anonymous, ApiRequest, Endpoints, ErrorFormat, Public, path::Rest},
};
use domain::shared::Fault;
use storage::content::asset_addresses;
use warp::reply::Response;

/// The endpoint of all files, and of images made of them. What follows the space is read by
/// [`Address::read`].
pub(super) fn endpoints(content: &Content, metrics: &Metrics) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Delivery)
        .get("/f/{space}/{file..}", Public, serve)
        .with_fast_path(images::fast_path(content), metrics)
}

async fn serve(content: Content, _: Anonymous, _: String, _: Rest, request: ApiRequest) -> Result<Response, Fault> {
    let (file, transformation) = split(request.path());
    let address = Address::read(file)?;
    if let Some(transformation) = transformation {
        return images::serve(&content, &request, address, transformation).await;
    }
    let connection = content.store.connection("file.find").await?;
    let found = asset_addresses::find_served(&connection, address.key, &address.name, content.clock.now()).await?;
    drop(connection);
    let served = found.ok_or_else(Fault::not_found)?;
    let cache_control = files::cache_control(&content, &request, &served, address.key)?;
    files::respond(&content, &request, &served.asset, &cache_control).await
}
