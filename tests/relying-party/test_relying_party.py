"""The provider and a relying party by Authlib, whose tokens joserfc verifies."""

import html
import os
import re
import time
import unittest
from unittest import mock
from urllib.parse import parse_qs, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oidc.core import CodeIDToken, UserInfo
from authlib.oidc.discovery import OpenIDProviderMetadata
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from server import Browser, Server, clients

CALLBACK = "https://app.example/cb"
SECRET = "a-secret-that-only-client-and-server-know"
RESOURCE = "https://api.example"
KEY = RSAKey.generate_key(2048, {"kid": "key-1", "use": "sig", "alg": "RS256"})


def client(client_id, **more):
    usual = {"redirectUris": [CALLBACK], "grantTypes": ["authorization_code", "refresh_token"]}
    return {"clientId": client_id, "name": client_id, **usual, **more}


CLIENTS = clients(
    client("web", clientSecret=SECRET),
    client("elliptic", clientSecret=SECRET, idTokenSignedResponseAlg="ES256"),
    client("edwards", clientSecret=SECRET, idTokenSignedResponseAlg="EdDSA"),
    client("spa", kind="public", tokenEndpointAuthMethod="none"),
    client("keyed", tokenEndpointAuthMethod="private_key_jwt", jwks={"keys": [KEY.as_dict(private=False)]}),
    {"clientId": "machine", "grantTypes": ["client_credentials"], "clientSecret": SECRET},
)


class RelyingPartyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(APP_OIDC_CLIENTS_JSON=CLIENTS, APP_OIDC_RESOURCE_AUDIENCE=RESOURCE)
        cls.addClassCleanup(cls.server.stop)
        cls.browser = Browser(cls.server)
        answer = requests.get(f"{cls.server.url}/.well-known/openid-configuration", timeout=10)
        cls.metadata = OpenIDProviderMetadata(answer.json())
        cls.keys = KeySet.import_key_set(requests.get(cls.metadata["jwks_uri"], timeout=10).json())

    def session(self, client_id, **more):
        usual = {"client_secret": SECRET, "token_endpoint_auth_method": "client_secret_basic"}
        arguments = {**usual, "redirect_uri": CALLBACK, "scope": "openid email profile offline_access", "code_challenge_method": "S256", **more}
        return OAuth2Session(client_id, **arguments)

    def sign_in(self, session, **parameters):
        """A whole code flow with PKCE. Answers the tokens and the nonce."""
        verifier, nonce = generate_token(48), generate_token(43)
        url, state = session.create_authorization_url(
            self.metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce, **parameters
        )
        callback = self.browser.authorize(url)
        query = parse_qs(urlsplit(callback).query)
        self.assertEqual((query["state"], query["iss"]), ([state], [self.server.url]))
        tokens = session.fetch_token(self.metadata["token_endpoint"], authorization_response=callback, code_verifier=verifier)
        return tokens, nonce

    def id_token(self, tokens, client_id, nonce, algorithms):
        decoded = jwt.decode(tokens["id_token"], self.keys, algorithms=algorithms)
        options = {"iss": {"values": [self.server.url]}, "aud": {"values": [client_id]}}
        claims = CodeIDToken(decoded.claims, decoded.header, options, {"client_id": client_id, "nonce": nonce, "access_token": tokens["access_token"]})
        claims.validate()
        return claims

    def test_the_metadata_is_complete(self):
        self.metadata.validate()

    def test_a_code_flow_with_each_algorithm(self):
        for client_id, algorithm in [("web", "RS256"), ("elliptic", "ES256"), ("edwards", "EdDSA")]:
            with self.subTest(algorithm):
                session = self.session(client_id)
                tokens, nonce = self.sign_in(session)
                names = ["Ed25519", "EdDSA"] if algorithm == "EdDSA" else [algorithm]
                claims = self.id_token(tokens, client_id, nonce, names)
                userinfo = UserInfo(session.get(self.metadata["userinfo_endpoint"]).json())
                self.assertEqual((userinfo.sub, userinfo.email, userinfo.name), (claims["sub"], "erika@example.org", "Erika Muster"))

    def test_a_public_client(self):
        session = self.session("spa", client_secret=None, token_endpoint_auth_method="none")
        tokens, nonce = self.sign_in(session)
        self.id_token(tokens, "spa", nonce, ["RS256"])

    def test_a_client_that_signs_assertions(self):
        session = self.session("keyed", client_secret=KEY.as_pem(private=True), token_endpoint_auth_method="private_key_jwt")
        # Authlib's own assertions are valid for an hour; the server takes none that expires more than 5 minutes ahead.
        claims = {"exp": int(time.time()) + 60}
        session.register_client_auth_method(PrivateKeyJWT(self.metadata["token_endpoint"], claims, headers={"kid": "key-1"}))
        tokens, nonce = self.sign_in(session)
        self.id_token(tokens, "keyed", nonce, ["RS256"])

    def test_an_assertion_is_used_once(self):
        now = int(time.time())
        claims = {"iss": "keyed", "sub": "keyed", "aud": self.server.url, "iat": now, "exp": now + 60, "jti": generate_token(24)}
        form = {
            "grant_type": "refresh_token",
            "refresh_token": generate_token(43),
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": jwt.encode({"alg": "RS256", "kid": "key-1"}, claims, KEY),
        }
        answers = [requests.post(self.metadata["token_endpoint"], form, timeout=10) for _ in range(2)]
        self.assertEqual([answer.json()["error"] for answer in answers], ["invalid_grant", "invalid_client"])

    def test_refreshing(self):
        session = self.session("web")
        first, _ = self.sign_in(session)
        second = session.refresh_token(self.metadata["token_endpoint"], refresh_token=first["refresh_token"])
        self.assertNotEqual(first["refresh_token"], second["refresh_token"])
        before, after = (jwt.decode(tokens["id_token"], self.keys, algorithms=["RS256"]).claims for tokens in (first, second))
        for claim in ["iss", "sub", "aud", "auth_time", "sid"]:
            self.assertEqual(before[claim], after[claim])

    def test_an_access_token_for_a_resource(self):
        session = self.session("elliptic")
        tokens, _ = self.sign_in(session, resource=RESOURCE)
        token = jwt.decode(tokens["access_token"], self.keys, algorithms=["ES256"])
        self.assertEqual(token.header["typ"], "at+jwt")
        for claim in ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"]:
            self.assertIn(claim, token.claims)
        self.assertEqual(token.claims["aud"], RESOURCE)

    def test_the_lines_that_the_console_shows(self):
        for client_id in ["web", "spa"]:
            with self.subTest(client_id):
                page = self.browser.session.get(f"{self.server.url}/admin/clients/{client_id}", timeout=10).text
                lines = html.unescape(re.search(r'id="snippet-1"[^>]*>([^<]*)<', page)[1])
                begin, end = lines.split("# at the redirect URI")
                end = end.partition("\n")[2]
                names = {}
                with mock.patch.dict(os.environ, {"CLIENT_SECRET": SECRET}):
                    exec(begin, names)
                names["url"] = self.browser.authorize(names["address"])
                exec(end, names)
                self.assertEqual((names["person"]["email"], names["person"]["name"]), ("erika@example.org", "Erika Muster"))
                self.assertIn("refresh_token", names["tokens"])

    def test_a_client_for_itself(self):
        session = OAuth2Session("machine", SECRET)
        tokens = session.fetch_token(self.metadata["token_endpoint"], grant_type="client_credentials", resource=RESOURCE)
        self.assertEqual(jwt.decode(tokens["access_token"], self.keys, algorithms=["RS256"]).claims["sub"], "machine")


if __name__ == "__main__":
    unittest.main()
