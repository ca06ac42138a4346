CREATE TABLE public.domains (
    id integer NOT NULL,
    banned boolean DEFAULT false NOT NULL,
    banned_by_id integer,
    address character varying(255) NOT NULL,
    homepage character varying(255),
    user_id integer,
    uuid uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
CREATE SEQUENCE public.domains_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.domains_id_seq OWNED BY public.domains.id;
CREATE TABLE public.links (
    id integer NOT NULL,
    address character varying(255) NOT NULL,
    description character varying(255),
    banned boolean DEFAULT false NOT NULL,
    banned_by_id integer,
    domain_id integer,
    password character varying(255),
    expire_in timestamp with time zone,
    target character varying(2040) NOT NULL,
    user_id integer,
    visit_count integer DEFAULT 0 NOT NULL,
    uuid uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
CREATE SEQUENCE public.links_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.links_id_seq OWNED BY public.links.id;
CREATE TABLE public.users (
    id integer NOT NULL,
    apikey character varying(255),
    banned boolean DEFAULT false NOT NULL,
    banned_by_id integer,
    email character varying(255) NOT NULL,
    role text DEFAULT 'USER'::text NOT NULL,
    password character varying(255) NOT NULL,
    reset_password_expires timestamp with time zone,
    reset_password_token character varying(255),
    change_email_expires timestamp with time zone,
    change_email_token character varying(255),
    change_email_address character varying(255),
    verification_expires timestamp with time zone,
    verification_token character varying(255),
    verified boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['USER'::text, 'ADMIN'::text])))
);
CREATE SEQUENCE public.users_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.users_id_seq OWNED BY public.users.id;
CREATE TABLE public.visits (
    id integer NOT NULL,
    countries jsonb,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP,
    link_id integer,
    user_id integer,
    referrers jsonb,
    total integer DEFAULT 0 NOT NULL,
    br_chrome integer DEFAULT 0 NOT NULL,
    br_edge integer DEFAULT 0 NOT NULL,
    br_firefox integer DEFAULT 0 NOT NULL,
    br_ie integer DEFAULT 0 NOT NULL,
    br_opera integer DEFAULT 0 NOT NULL,
    br_other integer DEFAULT 0 NOT NULL,
    br_safari integer DEFAULT 0 NOT NULL,
    os_android integer DEFAULT 0 NOT NULL,
    os_ios integer DEFAULT 0 NOT NULL,
    os_linux integer DEFAULT 0 NOT NULL,
    os_macos integer DEFAULT 0 NOT NULL,
    os_other integer DEFAULT 0 NOT NULL,
    os_windows integer DEFAULT 0 NOT NULL
);
CREATE SEQUENCE public.visits_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.visits_id_seq OWNED BY public.visits.id;
ALTER TABLE ONLY public.domains ALTER COLUMN id SET DEFAULT nextval('public.domains_id_seq'::regclass);
ALTER TABLE ONLY public.links ALTER COLUMN id SET DEFAULT nextval('public.links_id_seq'::regclass);
ALTER TABLE ONLY public.users ALTER COLUMN id SET DEFAULT nextval('public.users_id_seq'::regclass);
ALTER TABLE ONLY public.visits ALTER COLUMN id SET DEFAULT nextval('public.visits_id_seq'::regclass);
INSERT INTO public.domains VALUES (1, false, NULL, 'go.example.com', NULL, 1, '16429d17-804b-43b3-a668-2424f8b551e9', '2026-11-22 18:12:40.872062+00', '2026-11-22 18:12:40.872062+00');
INSERT INTO public.links VALUES (5, 'a-dash_1', NULL, false, NULL, NULL, NULL, NULL, 'https://example.com/a-dash_1', 1, 0, '9bc50094-0528-4eb2-9b82-7584958a5b5a', '2026-11-22 18:12:41.524214+00', '2026-11-22 18:12:41.524214+00');
INSERT INTO public.links VALUES (3, 'banned', NULL, true, 2, NULL, NULL, NULL, 'https://example.com/banned', 1, 0, '84501ac3-8e72-4c19-a9ce-51662669a6db', '2026-11-22 18:12:41.511601+00', '2026-11-22 18:12:41.554+00');
INSERT INTO public.links VALUES (1, 'titled', 'Größe 🎉
second line', false, NULL, NULL, NULL, '2099-01-01 00:00:00+00', 'https://example.com/titled', 1, 23, 'fb26cce4-6beb-49fd-b006-7c5399b874bc', '2026-11-22 18:12:40.888146+00', '2026-11-22 18:12:40.888146+00');
INSERT INTO public.links VALUES (2, 'locked', NULL, false, NULL, NULL, '$2a$12$olE2JcU2p/jUiKBz0CHrp.N5TcYtCKOt9ejw.FIi.e8hCYSe1DMIO', NULL, 'https://example.com/locked', 1, 2, '635367d9-58b5-4d5b-903b-de5ec103e7f4', '2026-11-22 18:12:41.499496+00', '2026-11-22 18:12:41.499496+00');
INSERT INTO public.links VALUES (4, 'own', NULL, false, NULL, 1, NULL, NULL, 'https://example.com/ü?q='';--', 1, 5, '4fe89f84-8400-45e6-8700-34fa8f2287e5', '2026-11-22 18:12:41.515463+00', '2026-11-22 18:12:41.515463+00');
INSERT INTO public.links VALUES (6, 'bens', NULL, false, NULL, NULL, NULL, NULL, 'https://example.com/bens', 2, 4, '901c185e-a543-4379-b4da-9525670ab168', '2026-11-22 18:12:41.533555+00', '2026-11-22 18:12:41.533555+00');
INSERT INTO public.links VALUES (7, 'anonymous', NULL, false, NULL, NULL, NULL, NULL, 'https://example.com/anonymous', NULL, 1, '0a37fba2-7733-4a9c-b06f-7273c7b1af6d', '2026-11-22 18:12:41.538461+00', '2026-11-22 18:12:41.538461+00');
INSERT INTO public.users VALUES (1, 'secret-ada@example.com', false, NULL, 'ada@example.com', 'USER', 'x', NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, '2026-11-22 18:12:40.849257+00', '2026-11-22 18:12:40.849257+00');
INSERT INTO public.users VALUES (2, 'secret-ben@example.com', false, NULL, 'ben@example.com', 'USER', 'x', NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, '2026-11-22 18:12:40.859456+00', '2026-11-22 18:12:40.859456+00');
INSERT INTO public.visits VALUES (1, '{"de": 11, "us": 12}', '2026-11-22 18:12:41.59418+00', '2026-11-22 18:12:41.855+00', 1, 1, '{"direct": 8, "news[dot]example": 15}', 23, 11, 0, 12, 0, 0, 0, 0, 0, 0, 12, 0, 0, 11);
INSERT INTO public.visits VALUES (2, '{"de": 1, "us": 1}', '2026-11-22 18:12:41.860939+00', '2026-11-22 18:12:41.872+00', 2, 1, '{"direct": 1, "news[dot]example": 1}', 2, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1);
INSERT INTO public.visits VALUES (3, '{"de": 2, "us": 3}', '2026-11-22 18:12:41.880732+00', '2026-11-22 18:12:41.922+00', 4, 1, '{"direct": 2, "news[dot]example": 3}', 5, 2, 0, 3, 0, 0, 0, 0, 0, 0, 3, 0, 0, 2);
INSERT INTO public.visits VALUES (4, '{"de": 2, "us": 2}', '2026-11-22 18:12:41.923892+00', '2026-11-22 18:12:41.955+00', 6, 2, '{"direct": 2, "news[dot]example": 2}', 4, 2, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2);
INSERT INTO public.visits VALUES (5, '{"us": 1}', '2026-11-22 18:12:41.964199+00', '2026-11-22 18:12:41.964199+00', 7, NULL, '{"direct": 1}', 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_address_unique UNIQUE (address);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_apikey_unique UNIQUE (apikey);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_unique UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (id);
CREATE INDEX domains_address_index ON public.domains USING btree (address);
CREATE INDEX domains_user_id_index ON public.domains USING btree (user_id);
CREATE INDEX links_address_index ON public.links USING btree (address);
CREATE INDEX links_domain_id_index ON public.links USING btree (domain_id);
CREATE INDEX links_expire_in_index ON public.links USING btree (expire_in);
CREATE INDEX links_user_id_index ON public.links USING btree (user_id);
CREATE INDEX visits_link_id_index ON public.visits USING btree (link_id);
CREATE INDEX visits_user_id_index ON public.visits USING btree (user_id);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_banned_by_id_foreign FOREIGN KEY (banned_by_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_user_id_foreign FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_banned_by_id_foreign FOREIGN KEY (banned_by_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_domain_id_foreign FOREIGN KEY (domain_id) REFERENCES public.domains(id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_user_id_foreign FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_banned_by_id_foreign FOREIGN KEY (banned_by_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_link_id_foreign FOREIGN KEY (link_id) REFERENCES public.links(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_user_id_foreign FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
