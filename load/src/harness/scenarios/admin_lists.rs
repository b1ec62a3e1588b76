//! The lists of administrators and of the Management API.

use super::{Load, Setup};
use crate::harness::{
    site::{KINDS, Space},
    user::{Pace, TimedClient, TurnFuture, User},
};
use anyhow::{Result, ensure};
use bytes::Bytes;
use fastrand::Rng;
use http::{Method, Request, header};
use http_body_util::Full;
use serde_json::Value;
use std::time::Duration;

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let space = setup.site.space("admin lists").await?;
    setup.site.write_stories(&space, setup.args.stories).await?;
    let (status, body) = setup.site.owner.send(setup.site.owner.request(Method::GET, "/api/admin/stats", Bytes::new())?).await?;
    ensure!(status.is_success(), "{} is no administrator of the server: {status} {body}", setup.args.email);
    let cookies = setup.site.owner.cookies();
    let users = (0..setup.users(8)).map(|number| -> Box<dyn User> {
        Box::new(Administrator { space: space.clone(), cookies: cookies.clone(), random: Rng::with_seed(number.into()) })
    });
    Ok(setup.group(Pace::Closed(Duration::ZERO), users.collect()).into())
}

struct Administrator {
    space: Space,
    cookies: String,
    random: Rng,
}

impl User for Administrator {
    /// One list.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            let (kind, page) = (self.random.u32(..KINDS), self.random.u32(..3) + 1);
            let (name, path) = match self.random.u32(..7) {
                0 => ("accounts", format!("/api/admin/users?perPage=50&sort=email&page={page}")),
                1 => ("account search", format!("/api/admin/users?perPage=50&search=load-{kind}")),
                2 => ("audit trail", format!("/api/admin/audit-logs?perPage=50&page={page}")),
                3 => ("audit search", format!("/api/admin/audit-logs?perPage=50&event=auth.*&page={page}")),
                4 => ("all spaces", format!("/api/admin/spaces?perPage=50&search=load&page={page}")),
                5 => ("queues", "/api/admin/queues".to_owned()),
                _ => {
                    let list = format!("/stories?per_page=25&with_tag=tag-{kind}&sort_by=updated_at:desc");
                    client.send("managed stories", self.space.manage(Method::GET, &list, &Value::Null)?).await;
                    return Ok(());
                }
            };
            let request = Request::get(path).header(header::COOKIE, &self.cookies).body(Full::default())?;
            client.send(name, request).await;
            Ok(())
        })
    }
}
