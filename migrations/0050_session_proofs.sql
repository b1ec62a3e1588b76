-- When the person of a session last proved, after signing in, who they are (POST /api/me/reauthenticate, or a form of the console). Acts that a stranger at an
-- open browser must not do ask how long that is ago. `auth_at` stays what it is: tokens say by it when the person signed in.
alter table sessions add column proved_at timestamptz;
