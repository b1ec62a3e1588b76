// Printed by studio/schema.ts from docs/openapi. It is not edited.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        "GET asset_folders": {
            asset_folders: components["schemas"]["AssetFolder"][];
        };
        AssetFolder: {
            id: number;
            name: string;
            /** Format: uuid */
            uuid: string;
            parent_id: number | null;
            /** Format: uuid */
            parent_uuid: string | null;
        };
        "POST asset_folders": {
            asset_folder: components["schemas"]["AssetFolder"];
        };
        "GET asset_folders/{id}": {
            asset_folder: components["schemas"]["AssetFolder"];
        };
        "PUT asset_folders/{id}": {
            asset_folder: components["schemas"]["AssetFolder"];
        };
        "PATCH asset_folders/{id}": {
            asset_folder: components["schemas"]["AssetFolder"];
        };
        "DELETE asset_folders/{id}": {
            asset_folder: components["schemas"]["AssetFolder"];
        };
        "POST assets/bulk_destroy": {
            assets: components["schemas"]["Asset"][];
        };
        Asset: {
            id: number;
            filename: string;
            space_id: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            content_length: number;
            content_type: string;
            sha256: string;
            alt: string | null;
            title: string | null;
            copyright: string | null;
            source: string | null;
            focus: string | null;
            /** Format: date-time */
            expire_at: string | null;
            /** Format: date-time */
            publish_at: string | null;
            ext_id: string | null;
            is_private: boolean;
            locked: boolean;
            meta_data: {
                [key: string]: unknown;
            };
            short_filename: string;
            /** Format: uri */
            signed_url: string;
            asset_folder_id: number | null;
            internal_tag_ids: number[];
            internal_tags_list: components["schemas"]["NamedTag"][];
        };
        NamedTag: {
            id: number;
            name: string;
        };
        "POST assets/bulk_tags_association": {
            assets: components["schemas"]["Asset"][];
        };
        "POST assets/bulk_update": {
            assets: components["schemas"]["Asset"][];
        };
        "POST assets/bulk_restore": {
            assets: components["schemas"]["Asset"][];
        };
        "GET assets": {
            assets: components["schemas"]["Asset"][];
        };
        "POST assets": {
            id: number;
            post_url: string;
            pretty_url: string;
            public_url: string;
            fields: {
                [key: string]: string;
            };
            locked: boolean;
            meta_data: {
                [key: string]: unknown;
            };
        } | components["schemas"]["Asset"];
        "GET assets/{id}": components["schemas"]["Asset"];
        "PATCH assets/{id}": unknown;
        "PUT assets/{id}": unknown;
        "DELETE assets/{id}": components["schemas"]["Asset"];
        "POST assets/{id}/upload": unknown;
        "GET assets/{id}/finish_upload": components["schemas"]["Asset"];
        "POST assets/copy_from_url": components["schemas"]["Asset"];
        "GET activities": {
            activities: components["schemas"]["SpaceActivity"][];
        };
        SpaceActivity: {
            activity: {
                id: number;
                trackable_id: number | string;
                trackable_type: string;
                owner_id: number | null;
                /** @constant */
                owner_type: "User";
                key: string;
                parameters: {
                    [key: string]: unknown;
                };
                recipient_id: null;
                recipient_type: null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                space_id: number;
            };
            trackable: {
                id: number | string;
                name: string;
            };
            user: {
                id: number;
                userid: string;
                friendly_name: string;
                active: boolean;
            } | null;
        };
        "GET activities/{id}": components["schemas"]["SpaceActivity"];
        "GET audit_log": {
            audit_log: components["schemas"]["AuditEntry"][];
        };
        AuditEntry: {
            id: number;
            space_id: number;
            actor: components["schemas"]["AuditActor"];
            action: string;
            target: components["schemas"]["Party"];
            meta: {
                [key: string]: unknown;
            };
            ip: string | null;
            /** Format: uuid */
            request_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        AuditActor: {
            /** @enum {unknown} */
            type: "user" | "token" | "system";
            id: string;
            label: string | null;
        };
        Party: {
            type: string;
            id: string;
            label: string;
        };
        "GET component_groups": {
            component_groups: components["schemas"]["ComponentGroup"][];
        };
        ComponentGroup: {
            id: number;
            name: string;
            /** Format: uuid */
            uuid: string;
            parent_id: number | null;
            /** Format: uuid */
            parent_uuid: string | null;
        };
        "POST component_groups": {
            component_group: components["schemas"]["ComponentGroup"];
        };
        "GET component_groups/{id}": {
            component_group: components["schemas"]["ComponentGroup"];
        };
        "PUT component_groups/{id}": {
            component_group: components["schemas"]["ComponentGroup"];
        };
        "PATCH component_groups/{id}": {
            component_group: components["schemas"]["ComponentGroup"];
        };
        "DELETE component_groups/{id}": {
            component_group: components["schemas"]["ComponentGroup"];
        };
        "GET components": {
            components: components["schemas"]["Component"][];
            component_groups: components["schemas"]["ComponentGroup"][];
        };
        Component: {
            readonly id: number;
            name: string;
            display_name: string | null;
            description: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            schema: components["schemas"]["ComponentSchema"];
            image: string | null;
            preview_field: string | null;
            preview_tmpl: string | null;
            /** @default false */
            is_root: boolean;
            /** @default true */
            is_nestable: boolean;
            readonly all_presets: components["schemas"]["Preset"][];
            preset_id: number | null;
            readonly real_name: string;
            /** Format: uuid */
            component_group_uuid: string | null;
            color: string | null;
            icon: string | null;
            readonly internal_tags_list: components["schemas"]["NamedTag"][];
            internal_tag_ids: number[];
            content_type_asset_preview: string | null;
            /** Format: date-time */
            readonly deleted_at: string;
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        ComponentSchema: {
            [key: string]: {
                type: string;
            } & {
                [key: string]: unknown;
            };
        };
        Preset: {
            readonly id: number;
            name: string;
            preset: {
                [key: string]: unknown;
            };
            component_id: number;
            readonly space_id: number;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            image: string | null;
            color: string | null;
            icon: string | null;
            description: string | null;
        };
        "POST components": {
            component: components["schemas"]["Component"];
        };
        "GET components/{id}": {
            component: components["schemas"]["Component"];
        };
        "PUT components/{id}": {
            component: components["schemas"]["Component"];
        };
        "DELETE components/{id}": {
            component: components["schemas"]["Component"];
        };
        "POST components/{id}/restore": {
            component: components["schemas"]["Component"];
        };
        "GET components/{id}/options": {
            options: {
                name: string;
                value: string;
            }[];
            total: number;
        };
        "GET components/{id}/component_versions/{version}": {
            component_version: {
                schema: components["schemas"]["ComponentSchema"];
            };
        };
        "GET datasource_entries": {
            datasource_entries: components["schemas"]["DatasourceEntry"][];
        };
        DatasourceEntry: {
            id: number;
            name: string;
            value: string;
            dimension_value: string | null;
            datasource_id: number;
            position: number;
        };
        "POST datasource_entries": {
            datasource_entry: components["schemas"]["DatasourceEntry"];
        };
        "GET datasource_entries/{id}": {
            datasource_entry: components["schemas"]["DatasourceEntry"];
        };
        "PUT datasource_entries/{id}": unknown;
        "PATCH datasource_entries/{id}": unknown;
        "DELETE datasource_entries/{id}": unknown;
        "GET datasources": {
            datasources: components["schemas"]["Datasource"][];
            cv: number;
        };
        Datasource: {
            id: number;
            name: string;
            slug: string;
            dimensions: {
                id: number;
                name: string;
                entry_value: string;
                datasource_id: number;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        "POST datasources": {
            datasource: components["schemas"]["Datasource"];
        };
        "GET datasources/{id}": {
            datasource: components["schemas"]["Datasource"];
        };
        "PUT datasources/{id}": {
            datasource: components["schemas"]["Datasource"];
        };
        "PATCH datasources/{id}": {
            datasource: components["schemas"]["Datasource"];
        };
        "DELETE datasources/{id}": unknown;
        "GET cdn/stories": {
            stories: components["schemas"]["DeliveredStory"][];
            cv: number;
            rels: components["schemas"]["DeliveredStory"][];
            rel_uuids: string[];
            links: components["schemas"]["ResolvedLink"][];
            link_uuids: string[];
            assets: components["schemas"]["ResolvedAssets"];
        };
        DeliveredStory: {
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            published_at: string | null;
            id: number;
            /** Format: uuid */
            uuid: string;
            content: {
                [key: string]: unknown;
            };
            slug: string;
            full_slug: string;
            sort_by_date: string | null;
            position: number;
            tag_list: string[];
            is_startpage: boolean;
            parent_id: number;
            meta_data: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            group_id: string;
            /** Format: date-time */
            first_published_at: string | null;
            release_id: null;
            lang: string;
            path: string | null;
            alternates: components["schemas"]["Alternate"][];
            default_full_slug: string | null;
            translated_slugs: {
                path: string;
                name: string | null;
                lang: string;
                published: boolean;
            }[] | null;
        };
        Alternate: {
            id: number;
            name: string;
            slug: string;
            published: boolean;
            full_slug: string;
            is_folder: boolean;
            parent_id: number;
        };
        ResolvedLink: components["schemas"]["DeliveredStory"] | components["schemas"]["LinkByUrl"] | components["schemas"]["LinkWithPath"];
        LinkByUrl: {
            id: number;
            /** Format: uuid */
            uuid: string;
            name: string;
            slug: string;
            path: string | null;
            full_slug: string;
            url: string;
        };
        LinkWithPath: components["schemas"]["Link"] & {
            full_slug?: string;
        };
        Link: {
            id: number;
            /** Format: uuid */
            uuid: string;
            slug: string;
            path: string | null;
            real_path: string;
            name: string;
            published: boolean;
            parent_id: number;
            is_folder: boolean;
            is_startpage: boolean;
            position: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            published_at: string | null;
            alternates: {
                lang: string;
                path: string;
                name: string | null;
                published: boolean;
                translated_slug: string;
            }[];
        };
        ResolvedAssets: {
            id: number;
            filename: string;
            alt: string | null;
            title: string | null;
            copyright: string | null;
            source: string | null;
            focus: string | null;
            meta_data: {
                [key: string]: unknown;
            };
            content_type: string;
            content_length: number;
            is_private: boolean;
            /** Format: date-time */
            expire_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        }[];
        "GET cdn/stories/{id}": {
            story: components["schemas"]["DeliveredStory"];
            cv: number;
            rels: components["schemas"]["DeliveredStory"][];
            rel_uuids: string[];
            links: components["schemas"]["ResolvedLink"][];
            link_uuids: string[];
            assets: components["schemas"]["ResolvedAssets"];
        };
        "GET cdn/stories/{id}/published": {
            story: components["schemas"]["DeliveredStory"];
            cv: number;
            rels: components["schemas"]["DeliveredStory"][];
            rel_uuids: string[];
            links: components["schemas"]["ResolvedLink"][];
            link_uuids: string[];
            assets: components["schemas"]["ResolvedAssets"];
        };
        "POST environments/check": {
            reachable: boolean | null;
            status: number | null;
            x_frame_options: string | null;
            frame_ancestors: string[];
            reason: string | null;
        };
        "GET imports": {
            imports: components["schemas"]["Import"][];
        };
        Import: {
            id: number;
            space_id: number;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            dry_run: boolean;
            webhooks: boolean;
            source: {
                /** @enum {string} */
                kind: "vendor" | "directory";
                region: string;
                space_id: number;
            };
            progress: {
                /** @enum {string} */
                phase: "space" | "asset_folders" | "assets" | "component_groups" | "components" | "presets" | "datasources" | "datasource_entries" | "folders" | "stories";
                done: number;
                total: number | null;
                rate: number;
                eta_s: number | null;
                warnings: number;
                failures: number;
                broken_references: number;
            };
            report: {
                announced: {
                    [key: string]: number;
                };
                counts: {
                    [key: string]: {
                        created: number;
                        updated: number;
                        unchanged: number;
                        skipped: number;
                        failed: number;
                    };
                };
                checksums: {
                    [key: string]: string;
                };
                files: {
                    count: number;
                    bytes: number;
                    sha256: string;
                };
                urls_in_text: number;
                warnings: components["schemas"]["ImportFindings"];
                failures: components["schemas"]["ImportFindings"];
                broken_references: components["schemas"]["ImportFindings"];
            };
            error: {
                code: string;
                message: string;
            } | null;
            cancel_requested: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        ImportFindings: {
            total: number;
            by_code: {
                [key: string]: number;
            };
            items: {
                code: string;
                kind: string;
                id: number;
                label: string;
                message: string;
            }[];
        };
        "GET imports/{id}": {
            import: components["schemas"]["Import"];
        };
        "DELETE imports/{id}": {
            import: components["schemas"]["Import"];
        };
        "GET imports/{id}/events": unknown;
        "GET internal_tags": {
            internal_tags: components["schemas"]["InternalTag"][];
        };
        InternalTag: {
            id: number;
            name: string;
            /** @enum {unknown} */
            object_type: "asset" | "component" | "idea";
            assets_count: number;
        };
        "POST internal_tags": {
            internal_tag: components["schemas"]["InternalTag"];
        };
        "PUT internal_tags/{id}": {
            internal_tag: components["schemas"]["InternalTag"];
        };
        "PATCH internal_tags/{id}": {
            internal_tag: components["schemas"]["InternalTag"];
        };
        "DELETE internal_tags/{id}": {
            internal_tag: components["schemas"]["InternalTag"];
        };
        "GET collaborators": {
            collaborators: components["schemas"]["Collaborator"][];
        };
        Collaborator: {
            id: number;
            user_id: number | null;
            space_id: number;
            role: components["schemas"]["SpaceRole"];
            permissions: unknown[];
            allowed_path: null;
            field_permissions: unknown[];
            space_role_id: null;
            space_role_ids: unknown[];
            can_act_as_admin: boolean;
            user: {
                id: number;
                userid: string;
                friendly_name: string;
                firstname: string | null;
                lastname: string | null;
                avatar: null;
                alt_email: null;
                real_email: string | null;
                disabled: boolean;
            } | null;
            invitation: {
                /** Format: email */
                email: string | null;
                role: components["schemas"]["SpaceRole"];
                /** Format: date-time */
                expires_at: string;
                invited_by: {
                    id: number;
                    friendly_name: string;
                } | null;
                /** Format: uri */
                link: string;
            } | null;
        };
        /** @enum {unknown} */
        SpaceRole: "admin" | "editor" | "viewer";
        "POST collaborators": {
            collaborator: components["schemas"]["Collaborator"];
        };
        "PUT collaborators/{id}": {
            collaborator: components["schemas"]["Collaborator"];
        };
        "DELETE collaborators/{id}": {
            collaborator: components["schemas"]["Collaborator"];
        };
        "GET presets": {
            presets: components["schemas"]["Preset"][];
        };
        "POST presets": {
            preset: components["schemas"]["Preset"];
        };
        "GET presets/{id}": {
            preset: components["schemas"]["Preset"];
        };
        "PUT presets/{id}": {
            preset: components["schemas"]["Preset"];
        };
        "DELETE presets/{id}": {
            preset: components["schemas"]["Preset"];
        };
        "GET /api/v1/spaces": {
            spaces: components["schemas"]["Space"][];
        };
        Space: {
            id: number;
            name: string;
            domain: string;
            languages: components["schemas"]["Language"][];
            default_lang_name: string | null;
            publish_requires_valid: boolean;
            environments: components["schemas"]["Environment"][];
            asset_custom_meta_data_schema: components["schemas"]["AssetMetaField"][];
            options: {
                languages: components["schemas"]["Language"][];
            };
            version: number;
            stories_count: number;
            /** Format: uuid */
            owner_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Language: {
            code: string;
            name: string;
        };
        Environment: {
            name: string;
            location: string;
        };
        AssetMetaField: {
            key: string;
            display_name: string | null;
            regex: string | null;
            regex_message: string | null;
            required: boolean | null;
            translatable: boolean | null;
            filetypes: string[] | null;
        };
        "POST /api/v1/spaces": {
            space: {
                id: number;
                name: string;
            };
            warnings: components["schemas"]["Warnings"];
            tokens: {
                public: string;
                preview: string;
                private: string;
            };
        };
        Warnings: {
            field: string;
            /** @enum {string} */
            code: "notSupported";
            message: string;
        }[];
        "GET /api/v1/spaces/{space}": {
            space: components["schemas"]["Space"];
            warnings: components["schemas"]["Warnings"];
        };
        "PUT /api/v1/spaces/{space}": {
            space: components["schemas"]["Space"];
            warnings: components["schemas"]["Warnings"];
        };
        "DELETE /api/v1/spaces/{space}": {
            space: components["schemas"]["Space"];
            warnings: components["schemas"]["Warnings"];
        };
        "GET stories": {
            stories: components["schemas"]["Story"][];
        };
        Story: {
            id: number;
            /** Format: uuid */
            uuid: string;
            name: string;
            slug: string;
            space_id: number;
            full_slug: string;
            parent_id: number;
            position: number;
            is_folder: boolean;
            is_startpage: boolean;
            content_type: string | null;
            published: boolean;
            unpublished_changes: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            published_at: string | null;
            /** Format: date-time */
            first_published_at: string | null;
            /** Format: date-time */
            deleted_at: string | null;
            /** Format: date-time */
            publish_at: string | null;
            /** Format: date-time */
            expire_at: string | null;
            /** Format: date */
            sort_by_date: string | null;
            tag_list: string[];
            path: string | null;
            /** Format: uuid */
            group_id: string;
            default_root: string | null;
            disable_fe_editor: boolean;
            disble_fe_editor: boolean;
            pinned: boolean;
            meta_data: {
                [key: string]: unknown;
            };
            last_version: number;
            revision: number;
            last_author: components["schemas"]["StoryAuthor"] | null;
            last_author_id: number | null;
            preview_token: {
                token: string;
                timestamp: string;
            } | null;
            alternates: components["schemas"]["Alternate"][];
            children: {
                folders: number;
                stories: number;
            };
            content_summary: {
                [key: string]: unknown;
            };
            is_scheduled: boolean;
            translations: {
                language: string;
                translatable: number;
                missing: number;
                outdated: number;
            }[];
            translated_stories: {
                lang: string;
                /** Format: date-time */
                published_at: string | null;
                /** Format: date-time */
                first_published_at: string | null;
                unpublished_changes: boolean;
            }[];
            parent: {
                id: number;
                /** Format: uuid */
                uuid: string;
                name: string;
                slug: string;
                disable_fe_editor: boolean;
            } | null;
            breadcrumbs: {
                id: number;
                /** Format: uuid */
                uuid: string;
                name: string;
                parent_id: number;
                slug: string;
                disable_fe_editor: boolean;
            }[];
            translated_slugs: components["schemas"]["TranslatedSlug"][];
            localized_paths: {
                path: string;
                name: string | null;
                lang: string;
                published: boolean;
            }[];
            published_translations: string[];
            content: {
                [key: string]: unknown;
            };
        };
        StoryAuthor: {
            id: number | null;
            userid: string | null;
            friendly_name: string;
            avatar: null;
        };
        TranslatedSlug: {
            id: number;
            story_id: number;
            lang: string;
            slug: string | null;
            name: string | null;
            published: boolean;
        };
        "POST stories": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        Problems: {
            field: string;
            uid: string | null;
            /** @enum {string} */
            code: "badPattern" | "blank" | "componentNotAllowed" | "externalUrlNotAllowed" | "fileTypeNotAllowed" | "linkTypeNotAllowed" | "notAMultiple" | "notANumber" | "outsideFolder" | "patternMismatch" | "patternUndecided" | "storyTypeNotAllowed" | "timeNotAllowed" | "tooDeep" | "tooFew" | "tooLarge" | "tooLong" | "tooMany" | "tooPrecise" | "tooShort" | "tooSmall" | "unknownComponent" | "unknownCondition" | "unknownField" | "unknownOption" | "unknownStory" | "wrongType";
            message: string;
            /** @enum {string} */
            severity: "error" | "warning";
        }[];
        "GET stories/{id}": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "PUT stories/{id}": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "PATCH stories/{id}": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "DELETE stories/{id}": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "GET stories/{id}/publish": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "POST stories/{id}/publish": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "PUT stories/{id}/publish": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "POST stories/{id}/validate": {
            problems: components["schemas"]["Problems"];
        };
        "GET stories/{id}/unpublish": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "POST stories/{id}/unpublish": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "PUT stories/{id}/unpublish": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "GET stories/{id}/undelete": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "POST stories/{id}/undelete": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "PUT stories/{id}/undelete": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "GET stories/{id}/translations": {
            translations: {
                language: string;
                translatable: number;
                missing: components["schemas"]["FieldPlace"][];
                outdated: components["schemas"]["FieldPlace"][];
            }[];
        };
        FieldPlace: {
            field: string;
            uid: string | null;
        };
        "PUT stories/{id}/translations": {
            translations: {
                language: string;
                translatable: number;
                missing: components["schemas"]["FieldPlace"][];
                outdated: components["schemas"]["FieldPlace"][];
            }[];
        };
        "GET stories/{id}/discard_changes": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "POST stories/{id}/discard_changes": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "PUT stories/{id}/discard_changes": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "PUT stories/{id}/move": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "PUT stories/{id}/duplicate": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "POST stories/{id}/duplicate": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "POST stories/bulk_move": Record<string, never>;
        "GET story_schedulings": {
            story_schedulings: components["schemas"]["StoryScheduling"][];
        };
        StoryScheduling: {
            id: number;
            space_id: number;
            story_id: number;
            /** Format: date-time */
            publish_at: string;
            /** @enum {unknown} */
            action: "publish" | "unpublish";
            language: string | null;
            /** @enum {unknown} */
            status: "scheduled" | "schedule_published" | "schedule_unpublished" | "published_before_schedule" | "deleted" | "invalid_story";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        "POST story_schedulings": {
            story_scheduling: components["schemas"]["StoryScheduling"];
        };
        "GET story_schedulings/{id}": {
            story_scheduling: components["schemas"]["StoryScheduling"];
        };
        "PUT story_schedulings/{id}": {
            story_scheduling: components["schemas"]["StoryScheduling"];
        };
        "DELETE story_schedulings/{id}": {
            story_scheduling: components["schemas"]["StoryScheduling"];
        };
        "GET stories/{id}/restore_with": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "POST stories/{id}/restore_with": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "PUT stories/{id}/restore_with": {
            story: components["schemas"]["Story"];
            warnings: components["schemas"]["Warnings"];
            problems: components["schemas"]["Problems"];
        };
        "GET stories/{id}/compare": {
            story_id: number;
            version: {
                id: number;
                status: string;
                name: string;
                author: string | null;
                /** Format: date-time */
                created_at: string;
                content: {
                    [key: string]: unknown;
                };
            };
            current: {
                name: string;
                content: {
                    [key: string]: unknown;
                };
                /** Format: date-time */
                updated_at: string;
            };
            changes: {
                path: string;
                /** @enum {unknown} */
                change: "added" | "removed" | "changed";
            }[];
        };
        "GET stories/{id}/versions": {
            versions: components["schemas"]["StoryVersion"][];
        };
        StoryVersion: {
            id: number;
            story_id: number;
            number: number;
            /** @enum {unknown} */
            status: "draft" | "published" | "unpublished";
            name: string;
            author: string | null;
            /** Format: date-time */
            created_at: string;
            /** @enum {unknown} */
            event: "create" | "update" | "publish" | "unpublish";
            item_id: number;
            is_draft: boolean;
            author_id: number | null;
            content: {
                [key: string]: unknown;
            };
        };
        "GET versions": {
            versions: components["schemas"]["StoryVersion"][];
        };
        "PUT versions/{id}": unknown;
        "GET story_versions": {
            story_versions: components["schemas"]["StoryVersion"][];
        };
        "GET story_versions/{id}": {
            story_versions: components["schemas"]["StoryVersion"];
        };
        "GET tags": {
            tags: components["schemas"]["Tag"][];
        };
        Tag: {
            id: string;
            name: string;
            taggings_count: number;
        };
        "POST tags": {
            tag: components["schemas"]["Tag"];
        };
        "POST tags/bulk_association": Record<string, never>;
        "PUT tags/{name}": {
            tag: components["schemas"]["Tag"];
        };
        "DELETE tags/{name}": unknown;
        "GET tokens": {
            tokens: components["schemas"]["ManagementToken"][];
        };
        ManagementToken: {
            id: number;
            name: string;
            /** @enum {unknown} */
            kind: "role" | "legacy";
            /** @enum {unknown} */
            role: "admin" | "editor" | "viewer";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
        };
        "POST tokens": {
            token: components["schemas"]["ManagementToken"];
            plaintext: string;
        };
        "DELETE tokens/{id}": {
            token: components["schemas"]["ManagementToken"];
        };
        "GET api_keys": {
            api_keys: components["schemas"]["ApiKey"][];
        };
        ApiKey: {
            id: number;
            /** @enum {unknown} */
            access: "public" | "preview" | "private";
            name: string;
            space_id: number;
            story_ids: number[];
            /** Format: date-time */
            created_at: string;
            token: string;
        };
        "POST api_keys": {
            api_key: components["schemas"]["ApiKey"];
        };
        "DELETE api_keys/{id}": {
            api_key: components["schemas"]["ApiKey"];
        };
        "GET approvals": {
            approvals: unknown[];
        };
        "GET background_tasks": {
            background_tasks: unknown[];
        };
        "GET backups": {
            backups: unknown[];
        };
        "GET branches": {
            branches: unknown[];
        };
        "GET experiments": {
            experiments: unknown[];
        };
        "GET field_types": {
            field_types: unknown[];
        };
        "GET releases": {
            releases: unknown[];
        };
        "GET shared_asset_folders": {
            asset_folders: unknown[];
        };
        "GET shared_assets": {
            assets: unknown[];
        };
        "GET shared_internal_tags": {
            internal_tags: unknown[];
        };
        "GET space_roles": {
            space_roles: unknown[];
        };
        "GET tasks": {
            tasks: unknown[];
        };
        "GET workflow_stage_changes": {
            workflow_stage_changes: unknown[];
        };
        "GET workflow_stages": {
            workflow_stages: unknown[];
        };
        "GET workflows": {
            workflows: unknown[];
        };
        "GET webhooks/{id}/deliveries": {
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        WebhookDelivery: {
            id: string;
            /** @enum {unknown} */
            status: "pending" | "delivered" | "dead" | "cancelled";
            event: string;
            story: {
                id: number;
                uuid: string | null;
                full_slug: string | null;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            waiting_since: string | null;
            /** Format: date-time */
            next_probe_at: string | null;
            attempts: {
                number: number;
                /** @enum {unknown} */
                result: "delivered" | "rejected" | "gone" | "timeout" | "unreachable" | "blocked" | "circuit_open" | "cancelled";
                status: number | null;
                answer: string | null;
                replayed: boolean;
                /** Format: date-time */
                started_at: string;
                duration_ms: number;
            }[];
        };
        "GET webhook_endpoints": {
            webhook_endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        WebhookEndpoint: {
            readonly id: number;
            name: string;
            description: string | null;
            endpoint: string;
            readonly space_id: number;
            secret: string | null;
            actions: ("story.published" | "story.unpublished" | "story.deleted" | "story.moved")[];
            /** @default true */
            activated: boolean;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            readonly deleted_at: null;
        };
        "POST webhook_endpoints": {
            webhook_endpoint: components["schemas"]["WebhookEndpoint"];
        };
        "GET webhook_endpoints/allowed_actions": {
            allowed_actions: {
                action: string;
            }[];
        };
        "GET webhook_endpoints/{id}": {
            webhook_endpoint: components["schemas"]["WebhookEndpoint"];
        };
        "PUT webhook_endpoints/{id}": {
            webhook_endpoint: components["schemas"]["WebhookEndpoint"];
        };
        "PATCH webhook_endpoints/{id}": {
            webhook_endpoint: components["schemas"]["WebhookEndpoint"];
        };
        "DELETE webhook_endpoints/{id}": {
            webhook_endpoint: components["schemas"]["WebhookEndpoint"];
        };
        "GET webhooks": {
            webhooks: components["schemas"]["Webhook"][];
        };
        Webhook: {
            id: number;
            name: string;
            url: string;
            events: string[];
            active: boolean;
            space_id: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            health: {
                /** @enum {unknown} */
                status: "new" | "well" | "failing" | "open";
                failures: number;
                /** Format: date-time */
                next_probe_at: string | null;
            };
        };
        "POST webhooks": {
            webhook: components["schemas"]["Webhook"];
        };
        "GET webhooks/{id}": {
            webhook: components["schemas"]["Webhook"];
        };
        "PUT webhooks/{id}": {
            webhook: components["schemas"]["Webhook"];
        };
        "PATCH webhooks/{id}": {
            webhook: components["schemas"]["Webhook"];
        };
        "DELETE webhooks/{id}": {
            webhook: components["schemas"]["Webhook"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
