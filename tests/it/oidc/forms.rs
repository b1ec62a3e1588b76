//! Endpoints that answer as those of the provider do.

use domain::shared::{Challenge, Code, Fault};
use routes::{
    dispatch::Dispatch,
    web::{Anonymous, ApiRequest, ApiResponse, Endpoints, ErrorFormat, Public, body::FORM_LIMIT},
};

pub fn endpoints(dispatch: Dispatch) -> Dispatch {
    let table = Endpoints::new(&(), ErrorFormat::OAuth)
        .post("/oidc/test/form", Public, form)
        .get("/oidc/test/token", Public, token)
        .get("/oidc/test/busy", Public, busy)
        .get("/oidc/test/panic", Public, panics);
    dispatch.with(table)
}

/// 200 with the value of `grant_type`.
async fn form((): (), _: Anonymous, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = request.form(FORM_LIMIT).await?;
    ApiResponse::ok(&form.once("grant_type")?)
}

async fn token((): (), _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let fault = match request.bearer() {
        None => Fault::unauthorized(),
        Some(token) => Fault::new(Code::InvalidToken, format!("The token \"{token}\" is not known")),
    };
    Err(fault.challenged(Challenge::Bearer))
}

async fn busy((): (), _: Anonymous, _: ApiRequest) -> Result<ApiResponse, Fault> {
    Err(Fault::unavailable("wanted by the test"))
}

async fn panics((): (), _: Anonymous, _: ApiRequest) -> Result<ApiResponse, Fault> {
    panic!("wanted by the test")
}
