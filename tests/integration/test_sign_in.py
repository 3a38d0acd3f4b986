"""Sign-in with an issuer: the way of a browser through a real one, and what must not work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.integration.client import check_problem
from tests.integration.people import Caller, Town, town
from tests.issuer.issuer import Issuer, WebBrowser, issuer
from tests.timeouts import TIMEOUT_SECONDS

CALLBACK = "/api/v1/sign-in/callback"


@pytest.fixture(scope="module")
def works() -> Iterator[Issuer]:
    people = {
        "ann": {"name": "Ann Lee", "email": "ann@works.test", "email_verified": True, "groups": ["drawers"]},
        "bob": {"name": "Bob", "groups": []},
        "eve": {"name": "Eve"},
        "gus": {"name": "Gus"},
        "hal": {"name": "Hal"},
        "ivy": {"name": "Ivy"},
    }
    with issuer(**people) as found:
        yield found


@pytest.fixture(scope="module")
def place(redis_server: str, works: Issuer) -> Iterator[Town]:
    with town(redis_server, "sign-in", **works.settings) as found:
        works.register(found.url)
        yield found


def sign_in(place: Town, browser: WebBrowser, login: str, then: str = "/") -> Caller:
    """Sign in with a browser; the caller with what it has then."""
    back = browser.sign_in(f"{place.url}/api/v1/sign-in/begin?next={then}", login, until=f"{place.url}{CALLBACK}")
    arrived = browser.get(back)
    assert (arrived.status_code, arrived.headers["location"]) == (302, then), arrived.text
    return as_caller(place, browser)


def as_caller(place: Town, browser: WebBrowser) -> Caller:
    """The API with the cookies of a browser."""
    caller = place.stranger()
    for cookie in browser.cookies.jar:
        if cookie.name.startswith("draftsmith_") and cookie.path == "/":
            caller.cookies.set(cookie.name, cookie.value or "")
    return caller


def begun(place: Town, browser: WebBrowser, login: str) -> str:
    """A sign-in up to the address where the issuer sends the browser back, which is not called yet."""
    return browser.sign_in(f"{place.url}/api/v1/sign-in/begin", login, until=f"{place.url}{CALLBACK}")


def wait_until(is_so: Callable[[], bool]) -> None:
    """For what the issuer tells the server by itself."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


class TestSigningIn:
    def test_one_signs_in_and_comes_back_to_where_one_wanted_to_go(self, place: Town) -> None:
        with WebBrowser() as browser:
            ann = sign_in(place, browser, "ann", "/w/some-workspace?tab=history")
        me = ann.ask("GET", "/me")
        assert (me["name"], me["signed_in"], me["is_admin"]) == ("Ann Lee", True, False)
        assert me["sign_in"] == {"issuer": "Works"}
        [session] = [one for one in ann.ask("GET", "/sessions")["items"] if one["current"]]
        assert session["device"] == "A browser of tests"

    def test_two_devices_of_a_person_are_one_person_with_one_stack(self, place: Town) -> None:
        with WebBrowser() as laptop, WebBrowser() as phone:
            first, second = sign_in(place, laptop, "ann"), sign_in(place, phone, "ann")
        assert first.id == second.id
        w = first.create(name="Shop", document={"text": "# Shop\n"})
        first.batch(w, {"op": "add_node", "id": "api", "type": "service", "label": "Api"})
        undone = second.ask("POST", f"/workspaces/{w}/undo", json={})
        assert undone["kind"] == "undo", "what was done on the laptop is undone on the phone"

    def test_a_token_of_the_issuer_is_the_same_person(self, place: Town, works: Issuer) -> None:
        with WebBrowser() as browser:
            ann = sign_in(place, browser, "ann")
        program = place.caller(key=works.token_for("ann"))
        assert program.id == ann.id
        assert program.ask("GET", "/me")["name"] == "Ann Lee"

    def test_the_issuer_changes_its_keys_and_nobody_notices(self, place: Town, works: Issuer) -> None:
        before = works.token_for("ann")
        place.caller(key=before).ask("GET", "/me")
        works.rotate()
        ann = place.caller(key=works.token_for("ann"))
        assert place.caller(key=before).id == ann.id
        with WebBrowser() as browser:
            assert sign_in(place, browser, "ann").id == ann.id

    def test_groups_of_the_issuer_give_roles(self, place: Town) -> None:
        w = place.admin.create(name="Shared", document={"text": "# Shared\n"})
        with WebBrowser() as first, WebBrowser() as second:
            ann, bob = sign_in(place, first, "ann"), sign_in(place, second, "bob")
        place.admin.ask("PUT", f"/workspaces/{w}/groups/drawers", json={"role": "editor"})
        assert ann.ask("GET", f"/workspaces/{w}/access")["role"] == "editor"
        check_problem(bob.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")

    def test_signing_out_ends_the_session_here_and_says_where_to_end_it_there(self, place: Town, works: Issuer) -> None:
        with WebBrowser() as browser:
            ann = sign_in(place, browser, "ann")
        url = ann.ask("DELETE", "/session")["url"]
        assert url.startswith(f"{works.url}/session/end?")
        assert parse_qs(urlsplit(url).query)["post_logout_redirect_uri"] == [f"{place.url}/"]
        assert ann.ask("GET", "/me")["signed_in"] is False

    def test_signing_out_at_the_issuer_signs_out_here(self, place: Town, works: Issuer) -> None:
        with WebBrowser() as browser, WebBrowser() as other:
            gus, elsewhere = sign_in(place, browser, "gus"), sign_in(place, other, "gus")
            browser.sign_in(gus.ask("DELETE", "/session")["url"], "gus", until=f"{place.url}/")
            assert elsewhere.ask("GET", "/me")["signed_in"] is True, "another session at the issuer"
            again = sign_in(place, other, "gus")
            other.sign_in(f"{works.url}/session/end", "gus", until=works.url + "/session/end/success")
        wait_until(lambda: not again.ask("GET", "/me")["signed_in"])

    def test_keys_go_on_while_the_issuer_has_a_session(self, place: Town, works: Issuer) -> None:
        """Its notice for one session ends that; with the last one keys stop and tokens of before are worth nothing."""
        with WebBrowser() as browser, WebBrowser() as other:
            hal = sign_in(place, browser, "hal")
            sign_in(place, other, "hal")
            program = place.caller(key=hal.ask("POST", "/keys", 201, json={"name": "ci"})["key"])
            token = place.caller(key=works.token_for("hal"))
            assert program.id == token.id == hal.id
            ends = f"{works.url}/session/end"
            browser.sign_in(ends, "hal", until=f"{ends}/success")
            wait_until(lambda: not hal.ask("GET", "/me")["signed_in"])
            assert program.ask("GET", "/me")["signed_in"]
            other.sign_in(ends, "hal", until=f"{ends}/success")
            wait_until(lambda: program.send_to("GET", "/me").status_code == 401)
            check_problem(program.send_to("GET", "/me"), 401, "credential_expired")
            check_problem(token.send_to("GET", "/me"), 401, "credential_expired")
            again = sign_in(place, other, "hal")
        assert program.id == again.id
        check_problem(token.send_to("GET", "/me"), 401, "credential_expired")

    def test_who_was_removed_here_does_not_sign_in_until_they_are_let_in(self, place: Town) -> None:
        with WebBrowser() as browser:
            ivy = sign_in(place, browser, "ivy")
            before = ivy.id
            place.admin.ask("DELETE", f"/users/{before}", 204)
            arrived = browser.get(begun(place, browser, "ivy"))
            assert arrived.headers["location"] == "/sign-in?failed=user_removed"
            assert as_caller(place, browser).ask("GET", "/me")["signed_in"] is False
            place.admin.ask("DELETE", f"/removed-users/{before}", 204)
            assert sign_in(place, browser, "ivy").id != before

    def test_signing_in_over_a_session_ends_it(self, place: Town) -> None:
        with WebBrowser() as browser:
            before = sign_in(place, browser, "bob")
            after = sign_in(place, browser, "bob")
        assert before.ask("GET", "/me")["signed_in"] is False
        assert after.ask("GET", "/me")["signed_in"] is True

    def test_somebody_removed_at_the_issuer_cannot_sign_in_again(self, place: Town, works: Issuer) -> None:
        with WebBrowser() as browser:
            eve = sign_in(place, browser, "eve")
            back = begun(place, browser, "eve")
            works.remove("eve")
            assert browser.get(back).headers["location"].startswith("/sign-in?failed=")
        assert eve.ask("GET", "/me")["signed_in"] is True, "until the session ends, as docs/security.md says"


class TestAttacks:
    def test_what_another_browser_began_is_not_finished(self, place: Town) -> None:
        with WebBrowser() as attacker, WebBrowser() as victim:
            back = begun(place, attacker, "bob")
            victim.get(f"{place.url}/api/v1/sign-in/begin")
            refused = victim.get(back)
            assert refused.headers["location"] == "/sign-in?failed=sign_in_failed"
            assert as_caller(place, victim).ask("GET", "/me")["signed_in"] is False

    def test_an_answer_serves_once(self, place: Town) -> None:
        with WebBrowser() as browser:
            back = begun(place, browser, "bob")
            cookies = list(browser.cookies.jar)
            browser.get(back)
            for cookie in cookies:
                browser.cookies.jar.set_cookie(cookie)
            assert browser.get(back).headers["location"] == "/sign-in?failed=sign_in_failed"

    @pytest.mark.parametrize(
        "before, after",
        [("code=", "code=x"), ("iss=http", "iss=https"), ("iss=", "was="), ("state=", "state=x"), ("code=", "error=")],
    )
    def test_a_changed_answer_signs_nobody_in(self, place: Town, before: str, after: str) -> None:
        with WebBrowser() as browser:
            back = begun(place, browser, "bob")
            assert before in back
            refused = browser.get(back.replace(before, after))
            assert refused.headers["location"] == "/sign-in?failed=sign_in_failed"
            assert as_caller(place, browser).ask("GET", "/me")["signed_in"] is False

    @pytest.mark.parametrize(
        "elsewhere",
        ["https://evil.test/", "//evil.test/", "/\\evil.test", "javascript:alert(1)", "/%0d%0aSet-Cookie: a=b", "\t/x"],
    )
    def test_nobody_is_sent_elsewhere_after_signing_in(self, place: Town, elsewhere: str) -> None:
        with WebBrowser() as browser:
            back = browser.sign_in(
                str(browser.build_request("GET", f"{place.url}/api/v1/sign-in/begin", params={"next": elsewhere}).url),
                "bob",
                until=f"{place.url}{CALLBACK}",
            )
            arrived = browser.get(back)
        where = arrived.headers["location"]
        assert where.startswith("/"), where
        assert not where.startswith(("//", "/\\")), where
        assert "a" not in arrived.cookies

    def test_a_session_from_before_does_not_become_the_one_signed_in(self, place: Town) -> None:
        planted = "dsn_planted-by-somebody-else"
        with WebBrowser() as browser:
            browser.cookies.set(place.session_cookie, planted, domain="127.0.0.1", path="/")
            bob = sign_in(place, browser, "bob")
        assert planted not in bob.cookies.values()
        other = place.stranger()
        other.cookies.set(place.session_cookie, planted)
        assert other.ask("GET", "/me")["signed_in"] is False

    @pytest.mark.parametrize("token", ["", "x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
    def test_a_notice_that_is_none_ends_nothing(self, place: Town, token: str) -> None:
        sent = place.stranger().send_to("POST", "/sign-in/notice", content=f"logout_token={token}".encode(),
                                        headers={"Content-Type": "application/x-www-form-urlencoded"})  # fmt: skip
        check_problem(sent, 422, "sign_in_failed")

    def test_a_token_for_access_is_no_notice(self, place: Town, works: Issuer) -> None:
        sent = place.stranger().post("/api/v1/sign-in/notice", data={"logout_token": works.token_for("bob")})
        check_problem(sent, 422, "sign_in_failed")
