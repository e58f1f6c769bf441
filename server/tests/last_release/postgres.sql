SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.__diesel_schema_migrations (
    version character varying(50) NOT NULL,
    run_on timestamp without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE public.chunks (
    take_id text NOT NULL,
    start bigint NOT NULL,
    length bigint NOT NULL,
    object text NOT NULL,
    CONSTRAINT chunks_length_check CHECK ((length > 0)),
    CONSTRAINT chunks_start_check CHECK ((start >= 0))
);

CREATE TABLE public.quotas (
    creator text NOT NULL,
    paid_at bigint NOT NULL
);

CREATE TABLE public.requests (
    id text NOT NULL,
    token_hash bytea NOT NULL,
    prompt bytea,
    state text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    video_id text,
    take_id text,
    bytes_gone boolean DEFAULT false NOT NULL,
    creator text,
    CONSTRAINT requests_check CHECK (((state <> 'submitted'::text) OR ((video_id IS NOT NULL) AND (take_id IS NOT NULL)))),
    CONSTRAINT requests_state_check CHECK ((state = ANY (ARRAY['awaiting_submission'::text, 'submitted'::text, 'expired'::text, 'deleted'::text]))),
    CONSTRAINT requests_token_hash_check CHECK ((length(token_hash) = 32))
);

CREATE TABLE public.sealings (
    take_id text NOT NULL,
    state text NOT NULL,
    leased_until bigint NOT NULL,
    epoch bigint NOT NULL,
    tries bigint NOT NULL,
    moments bytea,
    refusal text,
    no_stills text,
    CONSTRAINT sealings_check CHECK (((state = 'refused'::text) = (refusal IS NOT NULL))),
    CONSTRAINT sealings_refusal_check CHECK ((refusal = ANY (ARRAY['unreadable'::text, 'no_video'::text, 'no_frame'::text]))),
    CONSTRAINT sealings_state_check CHECK ((state = ANY (ARRAY['due'::text, 'stills_due'::text, 'done'::text, 'refused'::text])))
);

CREATE TABLE public.seals (
    take_id text NOT NULL,
    sealed_at bigint NOT NULL,
    version bigint NOT NULL,
    index_object text,
    index_length bigint NOT NULL,
    recording_length bigint NOT NULL,
    recording_sha256 bytea NOT NULL,
    served_sha256 bytea NOT NULL,
    duration_ms bigint NOT NULL,
    width bigint NOT NULL,
    height bigint NOT NULL,
    sound boolean NOT NULL,
    located boolean NOT NULL,
    CONSTRAINT seals_check CHECK (((index_object IS NULL) = (index_length = 0))),
    CONSTRAINT seals_duration_ms_check CHECK ((duration_ms >= 0)),
    CONSTRAINT seals_index_length_check CHECK ((index_length >= 0)),
    CONSTRAINT seals_recording_length_check CHECK ((recording_length > 0)),
    CONSTRAINT seals_recording_sha256_check CHECK ((length(recording_sha256) = 32)),
    CONSTRAINT seals_served_sha256_check CHECK ((length(served_sha256) = 32))
);

CREATE TABLE public.stills (
    take_id text NOT NULL,
    at_ms bigint NOT NULL,
    width bigint NOT NULL,
    height bigint NOT NULL,
    length bigint NOT NULL,
    object text NOT NULL,
    CONSTRAINT stills_at_ms_check CHECK ((at_ms >= 0)),
    CONSTRAINT stills_length_check CHECK ((length > 0))
);

CREATE TABLE public.takes (
    id text NOT NULL,
    request_id text NOT NULL,
    state text NOT NULL,
    committed bigint NOT NULL,
    epoch bigint NOT NULL,
    created_at bigint NOT NULL,
    container text,
    length bigint,
    poisoned boolean DEFAULT false NOT NULL,
    pieces bigint DEFAULT 0 NOT NULL,
    touched_at bigint DEFAULT 0 NOT NULL,
    creator text,
    CONSTRAINT takes_committed_check CHECK ((committed >= 0)),
    CONSTRAINT takes_length_check CHECK ((length >= 0)),
    CONSTRAINT takes_state_check CHECK ((state = ANY (ARRAY['open'::text, 'complete'::text])))
);

CREATE TABLE public.visits (
    request_id text NOT NULL,
    visit text NOT NULL,
    doing text NOT NULL,
    seen_at bigint NOT NULL,
    CONSTRAINT visits_doing_check CHECK ((doing = ANY (ARRAY['looking'::text, 'recording'::text, 'reviewing'::text])))
)
WITH (fillfactor='50');

INSERT INTO public.__diesel_schema_migrations VALUES ('00000000000001', '2026-11-21 21:51:00.728859');
INSERT INTO public.__diesel_schema_migrations VALUES ('00000000000002', '2026-11-21 21:51:00.792188');
INSERT INTO public.__diesel_schema_migrations VALUES ('00000000000003', '2026-11-21 21:51:00.812136');
INSERT INTO public.__diesel_schema_migrations VALUES ('00000000000004', '2026-11-21 21:51:00.841689');
INSERT INTO public.__diesel_schema_migrations VALUES ('00000000000005', '2026-11-21 21:51:00.865692');

INSERT INTO public.chunks VALUES ('fUoNOYRUdTtAoXNGIEwSCj', 0, 500, 'taqccd4JrNBqTjIFODdwZA/fUoNOYRUdTtAoXNGIEwSCj/p1Pj8vdbpXH9mvgHnmAH9r');
INSERT INTO public.chunks VALUES ('FI31ksiKtjns61JNIYILkX', 0, 590, 'MMM14EVli7uTQ2Ciuvc3D5/FI31ksiKtjns61JNIYILkX/tWniyDitLqwqoB1sgLMTtr');

INSERT INTO public.quotas VALUES ('127.0.0.1', 1795298461000);

INSERT INTO public.requests VALUES ('pQwobqbISargb6xkWHN3Nl', '\xb45fd1b98a3ca9299e585c1d5dc760762213ebaae2fee99179ec7519563efa2b', '\x53686f77207468652064656e742e', 'awaiting_submission', 1795297860999, 1795470660999, NULL, NULL, false, '127.0.0.1');
INSERT INTO public.requests VALUES ('taqccd4JrNBqTjIFODdwZA', '\x699e51e764b283f804fedce9dfe3d1719bbf36c9c8334aecdfff808defd96013', '\x53686f77207468652064656e742e', 'awaiting_submission', 1795297861011, 1795470661011, NULL, NULL, false, '127.0.0.1');
INSERT INTO public.requests VALUES ('MMM14EVli7uTQ2Ciuvc3D5', '\xa3661c2214b889369faeb425c6a7027e1529dfc2dd953877df6e7f60f3ee1ee3', '\x53686f77207468652064656e742e', 'submitted', 1795297861087, 1795470661087, 'tAZYn6ouryTfEmUXgrhhUx', 'FI31ksiKtjns61JNIYILkX', false, '127.0.0.1');
INSERT INTO public.requests VALUES ('lZy8qpgfQSeltzdlN0otUY', '\xc69159b409f3820162a11752ab77371524daa594e1492272137cb56103e73025', NULL, 'deleted', 1795297861338, 1795470661338, '9BLxbnANwIqCgyZitnU5uh', 'fKtCsPHnehD4LYSP4Juwvm', true, NULL);
INSERT INTO public.requests VALUES ('IAecXHHyiaZ2qqjecrYZN6', '\x48d006efe3ddcd2f0ffa5fd21a0c5a5b3cc8a95c0f8022bf9f38085e387640fc', NULL, 'expired', 1795297861243, 1795297861244, 'ETMYM1JVsi3aRge9AheKhX', 'u2Ttd8ZOy4ddd0JSI97DXY', true, NULL);

INSERT INTO public.sealings VALUES ('FI31ksiKtjns61JNIYILkX', 'done', 1795297876210, 2, 1, NULL, NULL, 'no decoder for this codec is installed here');

INSERT INTO public.seals VALUES ('FI31ksiKtjns61JNIYILkX', 1795297861204, 1, NULL, 0, 590, '\x345eada7194d1983da29b0c7655e998c932978697b56f864c6bef75cdda3c1ca', '\x345eada7194d1983da29b0c7655e998c932978697b56f864c6bef75cdda3c1ca', 1000, 16, 16, false, false);

INSERT INTO public.takes VALUES ('fUoNOYRUdTtAoXNGIEwSCj', 'taqccd4JrNBqTjIFODdwZA', 'open', 500, 1, 1795297861019, 'video/mp4', NULL, false, 1, 1795298400000, '127.0.0.1');
INSERT INTO public.takes VALUES ('FI31ksiKtjns61JNIYILkX', 'MMM14EVli7uTQ2Ciuvc3D5', 'complete', 590, 1, 1795297861118, 'video/mp4', 590, false, 1, 1795298400000, '127.0.0.1');

INSERT INTO public.visits VALUES ('taqccd4JrNBqTjIFODdwZA', '-0aZ_0aZ-0aZ_0aZ-0aZ_0', 'recording', 1795297896563);

ALTER TABLE ONLY public.__diesel_schema_migrations
    ADD CONSTRAINT __diesel_schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.chunks
    ADD CONSTRAINT chunks_object_key UNIQUE (object);

ALTER TABLE ONLY public.chunks
    ADD CONSTRAINT chunks_pkey PRIMARY KEY (take_id, start);

ALTER TABLE ONLY public.quotas
    ADD CONSTRAINT quotas_pkey PRIMARY KEY (creator);

ALTER TABLE ONLY public.requests
    ADD CONSTRAINT requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.requests
    ADD CONSTRAINT requests_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.requests
    ADD CONSTRAINT requests_video_id_key UNIQUE (video_id);

ALTER TABLE ONLY public.sealings
    ADD CONSTRAINT sealings_pkey PRIMARY KEY (take_id);

ALTER TABLE ONLY public.seals
    ADD CONSTRAINT seals_index_object_key UNIQUE (index_object);

ALTER TABLE ONLY public.seals
    ADD CONSTRAINT seals_pkey PRIMARY KEY (take_id);

ALTER TABLE ONLY public.stills
    ADD CONSTRAINT stills_object_key UNIQUE (object);

ALTER TABLE ONLY public.stills
    ADD CONSTRAINT stills_pkey PRIMARY KEY (take_id, at_ms);

ALTER TABLE ONLY public.takes
    ADD CONSTRAINT takes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (request_id, visit);

CREATE INDEX quotas_paid ON public.quotas USING btree (paid_at);

CREATE INDEX requests_to_sweep ON public.requests USING btree (bytes_gone, state, expires_at);

CREATE INDEX sealings_due ON public.sealings USING btree (state, leased_until);

CREATE INDEX takes_abandoned ON public.takes USING btree (state, touched_at);

CREATE INDEX takes_of_creator ON public.takes USING btree (creator) WHERE (creator IS NOT NULL);

CREATE INDEX takes_of_request ON public.takes USING btree (request_id);

ALTER TABLE ONLY public.chunks
    ADD CONSTRAINT chunks_take_id_fkey FOREIGN KEY (take_id) REFERENCES public.takes(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sealings
    ADD CONSTRAINT sealings_take_id_fkey FOREIGN KEY (take_id) REFERENCES public.takes(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.seals
    ADD CONSTRAINT seals_take_id_fkey FOREIGN KEY (take_id) REFERENCES public.sealings(take_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.stills
    ADD CONSTRAINT stills_take_id_fkey FOREIGN KEY (take_id) REFERENCES public.sealings(take_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.takes
    ADD CONSTRAINT takes_request_id_fkey FOREIGN KEY (request_id) REFERENCES public.requests(id);

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_request_id_fkey FOREIGN KEY (request_id) REFERENCES public.requests(id);
