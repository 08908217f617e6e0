-- The first schema. Ids are ULIDs as text; times are milliseconds since 1970 in UTC; json is text.

create table meta (
    key text primary key not null,
    value text not null
) strict;

create table projects (
    id text primary key not null,
    path text not null unique,
    name text not null,
    is_git integer not null,
    missing integer not null default 0,
    created_at integer not null,
    updated_at integer not null
) strict;

create table tasks (
    id text primary key not null,
    project_id text references projects (id) on delete set null,
    title text not null,
    title_source text not null,
    cwd text not null,
    state text not null default 'idle',
    queue_held integer not null default 0,
    archived integer not null default 0,
    pinned integer not null default 0,
    unread integer not null default 0,
    -- the number of the newest start of any of its runs
    fence integer not null default 0,
    created_at integer not null,
    updated_at integer not null,
    last_message_at integer,
    -- what lists are ordered by: the newest message, else the making
    activity_at integer not null
) strict;
create index tasks_by_activity on tasks (archived, activity_at desc, id desc);
create index tasks_by_project on tasks (project_id);

-- what an edit, a retry or a restore set aside
create table branches (
    id text primary key not null,
    task_id text not null references tasks (id) on delete cascade,
    from_ordinal integer not null,
    reason text not null,
    created_at integer not null
) strict;
create index branches_by_task on branches (task_id);

create table messages (
    id text primary key not null,
    task_id text not null references tasks (id) on delete cascade,
    -- null: in the chat
    branch_id text references branches (id) on delete cascade,
    ordinal integer not null,
    role text not null,
    origin text not null,
    agent text,
    status text not null,
    run_id text,
    late integer not null default 0,
    created_at integer not null,
    duration_ms integer,
    stop_reason text,
    usage text,
    -- an answer's: what its agent was handed in front of the prompt, as json
    handoff text,
    -- an answer's: the model that was chosen when its prompt was sent
    model text
) strict;
create index messages_by_place on messages (task_id, branch_id, ordinal);
create index messages_by_branch on messages (branch_id) where branch_id is not null;
create index messages_streaming on messages (id) where status = 'streaming';

create table parts (
    id integer primary key,
    message_id text not null references messages (id) on delete cascade,
    idx integer not null,
    kind text not null,
    -- text and thought: the first piece of the text; others: the part as json
    body text not null,
    -- text and thought that still grow: the feed number after which its appends belong to it
    open_seq integer,
    unique (message_id, idx)
) strict;
create index parts_open on parts (open_seq) where open_seq is not null;

-- further pieces of a long text, in order
create table part_pieces (
    part_id integer not null references parts (id) on delete cascade,
    n integer not null,
    text text not null,
    primary key (part_id, n)
) strict;

create table runs (
    id text primary key not null,
    task_id text not null references tasks (id) on delete cascade,
    agent text not null,
    state text not null,
    waiting_for text,
    user_message_id text not null,
    assistant_message_id text not null,
    -- the order among the queued runs of a task
    place integer not null,
    queued_at integer not null,
    started_at integer,
    ended_at integer,
    -- the fence of its newest attempt
    fence integer,
    -- whether its prompt may be on the wire: 0 no, 1 being written, 2 written
    sent integer not null default 0,
    -- it starts although the queue is held: a retry, an edit, a continuation, "send now"
    at_once integer not null default 0,
    -- "send now" on another message ended it, which holds nothing
    displaced integer not null default 0,
    processes text not null default '[]'
) strict;
create index runs_by_task on runs (task_id, state);
create index runs_begun on runs (id) where state in ('starting', 'running', 'waiting', 'background');
create index runs_queued on runs (task_id, place) where state = 'queued';
create index runs_leaving on runs (id) where processes <> '[]';

create table attempts (
    run_id text not null references runs (id) on delete cascade,
    fence integer not null,
    started_at integer not null,
    ended_at integer,
    outcome text,
    primary key (run_id, fence)
) strict;

-- the exact content blocks that were sent, compressed json
create table prompts (
    run_id text primary key not null references runs (id) on delete cascade,
    blocks blob not null
) strict;

create table links (
    task_id text not null references tasks (id) on delete cascade,
    agent text not null,
    state text not null,
    detail text,
    options text not null default '[]',
    commands text not null default '[]',
    usage text,
    session_id text,
    session_created_at integer,
    seen_ordinal integer not null default 0,
    skipped_options text not null default '[]',
    silent_since integer,
    primary key (task_id, agent)
) strict;
create index links_on on links (task_id, agent) where state in ('starting', 'ready', 'busy');

-- option values that the agent accepted, by link; and the newest by project (scope is the project's id, or empty)
create table link_options (
    task_id text not null references tasks (id) on delete cascade,
    agent text not null,
    option_id text not null,
    value text not null,
    category text,
    set_at integer not null,
    primary key (task_id, agent, option_id)
) strict;
create table option_defaults (
    agent text not null,
    scope text not null,
    option_id text not null,
    value text not null,
    category text,
    set_at integer not null,
    primary key (agent, scope, option_id)
) strict;
-- What an agent last offered to a new session: its options with the values it began with, and its commands.
create table offers (
    agent text not null,
    scope text not null,
    options text not null,
    commands text not null,
    offered_at integer not null,
    primary key (agent, scope)
) strict;

create table requests (
    id text primary key not null,
    task_id text not null references tasks (id) on delete cascade,
    run_id text,
    agent text not null,
    kind text not null,
    payload text not null,
    state text not null,
    answer text,
    created_at integer not null,
    -- a page to open: when the agent said that it is done
    completed_at integer
) strict;
create index requests_by_task on requests (task_id, created_at);
create index requests_open on requests (task_id, created_at) where state = 'open';

-- what is to be acted on; read by the supervisor after its cursor, emptied at every start
create table intents (
    seq integer primary key autoincrement,
    task_id text not null,
    intent text not null,
    created_at integer not null
) strict;

create table nonces (
    task_id text not null references tasks (id) on delete cascade,
    nonce text not null,
    digest text not null,
    answer text not null,
    created_at integer not null,
    primary key (task_id, nonce)
) strict;

create table idempotency (
    key text primary key not null,
    digest text not null,
    status integer not null,
    body text not null,
    created_at integer not null
) strict;

-- every change, one row an event; seq only grows
create table feed (
    seq integer primary key,
    -- content events: the task they tell of
    task_id text,
    kind text not null,
    data text not null,
    at integer not null
) strict;

-- numbers skipped at a start: a cursor strictly between the two is of a lost time
create table feed_gaps (
    after_seq integer primary key,
    until_seq integer not null
) strict;

create table blobs (
    sha256 text primary key not null,
    size integer not null,
    -- compressed bytes; null: a file in blobs/
    data blob
) strict;
create table blob_uses (
    part_id integer not null references parts (id) on delete cascade,
    sha256 text not null references blobs (sha256),
    primary key (part_id, sha256)
) strict;
create index blob_uses_by_blob on blob_uses (sha256);

create table attachments (
    id text primary key not null,
    name text not null,
    mime_type text not null,
    size integer not null,
    sha256 text not null,
    created_at integer not null
) strict;
create table attachment_uses (
    message_id text not null references messages (id) on delete cascade,
    attachment_id text not null references attachments (id),
    primary key (message_id, attachment_id)
) strict;
create index attachment_uses_by_attachment on attachment_uses (attachment_id);

create table browsers (
    id text primary key not null,
    name text not null,
    cookie_hash text not null unique,
    key_hash text not null,
    created_at integer not null,
    last_seen_at integer not null,
    expires_at integer not null
) strict;
