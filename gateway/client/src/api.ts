// Generated from the OpenAPI document by `npm run generate:client`.

export interface paths {
  "/api/v2/products/api/operations/upload": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List unused files
     * @description Uploaded files that no operation has used yet, newest first.
     */
    get: operations["listFiles"];
    put?: never;
    /**
     * Upload a file
     * @description PNG, JPG, MP3 or MP4, whole, in exactly one part named `file`; the bytes tell which, not the name. Other fields are ignored. The id is usable in one operation, with which the file is deleted; an unused file is deleted after some days. With an Idempotency-Key a request that broke off can be sent again: the same bytes get the same id. What is refused, or breaks off, leaves nothing.
     */
    post: operations["uploadFile"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/api/operations/upload/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read what is known of a file */
    get: operations["getFile"];
    put?: never;
    post?: never;
    /**
     * Delete an unused file
     * @description A used file is refused (400): it is deleted with its operation.
     */
    delete: operations["deleteFile"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/api/operations/upload/{id}/content": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * See or hear a file
     * @description The bytes as they were uploaded, with their own type, or with `width` a WebP of the picture as shown, or of the first picture of a film. A browser runs nothing in it. 400 for a `width` of a file without pictures.
     */
    get: operations["readFileContent"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/api/operations/upload/{id}/links": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get a link to a file
     * @description The link works for 5 minutes without an access token, for pages of a browser; `?width=` may follow it.
     */
    post: operations["createFileLink"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/api/operations/upload/links/{token}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * See or hear a file by a link
     * @description 404 if the link has been changed or has expired, or the file was deleted. The bytes as they were uploaded, with their own type, or with `width` a WebP of the picture as shown, or of the first picture of a film. A browser runs nothing in it. 400 for a `width` of a file without pictures.
     */
    get: operations["readLinkedFile"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/api/operations/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an operation */
    get: operations["getOperation"];
    put?: never;
    post?: never;
    /**
     * Delete an operation
     * @description Cancels it when it is not finished; erases the record, the results and the files.
     */
    delete: operations["deleteOperation"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/api/operations/{id}/contents": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the contents of an operation with their results
     * @description In the order of the request. 409 until the operation is done, and if it failed or is invalid.
     */
    get: operations["listOperationContents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/api/operations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List operations
     * @description Newest first. With `type`, `analysis`, `from`, `to`, `q` or `metadata.KEY`, a page looks through a limited number of operations: it may have fewer entries than `limit`, or none, although more follow. Continue with `next_cursor` until it is null.
     */
    get: operations["listOperations"];
    put?: never;
    /**
     * Create an operation
     * @description Analyses texts, uploaded files or files at URLs in the background. Every result names the model that made it, and says whether that model is made for the language of the content.
     *
     *     Refused (400) is also what no schema can say: texts without a textual analysis; ids of files that are unknown, deleted or used; URLs that do not lead to a public address; groups that are empty or name an index that `contents` does not have.
     */
    post: operations["createOperation"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/sign_in": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in
     * @description Answers with the user, and with an access token in the response header `Authorization`. Send that header with every other request. Attempts are limited for each address, those with a wrong password more, and answers come up to 4 s later after many wrong passwords for the same e-mail. 400 with the code `company_needed` where users of several companies have the e-mail and the password: give `user.company` then.
     */
    post: operations["signIn"];
    /**
     * Sign out
     * @description Ends the session of the access token: it is good for nothing any more, nor are those it was renewed to.
     */
    delete: operations["signOut"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/.well-known/jwks.json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Public keys
     * @description The keys that verify access tokens, as a JSON Web Key Set (RFC 7517).
     */
    get: operations["getSigningKeys"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/me": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who you are
     * @description With an API key: the user who made it, with null for what is not known of them any more.
     */
    get: operations["getMe"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/me/renew": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Renew the access token
     * @description Answers with another access token for the session in the response header `Authorization`, up to some days after signing in (403 after that: sign in again). The one before stays good until its time is over.
     */
    post: operations["renewToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/me/password": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Change your password
     * @description Ends your other sessions. Attempts with a wrong password are limited as for signing in.
     */
    put: operations["changePassword"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List API keys
     * @description For admins and members. Newest first.
     */
    get: operations["listApiKeys"];
    put?: never;
    /**
     * Make an API key
     * @description For programs: it belongs to the company, has no password and ends when you say. Send it instead of an access token. It opens only what its scopes name, and neither keys, users nor the audit log. It never may more than its maker may now, and ends when they are made inactive or deleted.
     */
    post: operations["createApiKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/keys/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete an API key
     * @description It ends within seconds.
     */
    delete: operations["deleteApiKey"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/users": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List users
     * @description For admins. Newest first.
     */
    get: operations["listUsers"];
    put?: never;
    /**
     * Create a user
     * @description For admins. The user gets a generated password, which only this answer contains.
     */
    post: operations["createUser"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/users/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a user
     * @description For every user of the company: who somebody is that `created_by` names.
     */
    get: operations["getUser"];
    put?: never;
    post?: never;
    /**
     * Delete a user
     * @description For admins. What the user has made stays with the company; their API keys end. The last admin of a company can be neither deleted, made inactive nor given another role (409).
     */
    delete: operations["deleteUser"];
    options?: never;
    head?: never;
    /**
     * Change a user
     * @description For admins. What is absent stays. The API keys of a user who becomes inactive end, and those of a user with a smaller role may no more than that role. The last admin of a company can be neither deleted, made inactive nor given another role (409).
     */
    patch: operations["updateUser"];
    trace?: never;
  };
  "/api/v2/audit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the audit log
     * @description For admins. Who signed in or out, changed a password, made, changed or deleted keys, users, insights and exports, imported or erased postings, and deleted operations and files, newest first; kept for a year unless configured. No contents.
     */
    get: operations["listAuditEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/exports": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List exports
     * @description Newest first. With `metadata.KEY`, a page looks through a limited number of exports: it may have fewer entries than `limit`, or none, although more follow.
     */
    get: operations["listExports"];
    put?: never;
    /**
     * Create an export
     * @description Makes a dataset of the analyzed postings of some insights in a range of days. `start_date` must be before `end_date`. A `filter` has the same kinds as the parameters of a list of postings.
     */
    post: operations["createExport"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/exports/links/{token}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download an export by a link
     * @description 404 if the link has been changed or has expired, or the export was deleted. `columns`, `ids_only`, `delimiter` and `bom` are rendered while the file is read, so that it has no length and no ranges.
     */
    get: operations["downloadLinkedExport"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/exports/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an export
     * @description With another type than JSON in `Accept`, it answers as a download does. `columns`, `ids_only`, `delimiter` and `bom` are rendered while the file is read, so that it has no length and no ranges.
     */
    get: operations["getExport"];
    put?: never;
    post?: never;
    /**
     * Delete an export
     * @description Cancels it if it is not finished, and erases its record and its files.
     */
    delete: operations["deleteExport"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/exports/{id}/download": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download an export
     * @description The data alone, as a file; compressed if you accept gzip or br. `columns`, `ids_only`, `delimiter` and `bom` are rendered while the file is read, so that it has no length and no ranges.
     */
    get: operations["downloadExport"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/exports/{id}/links": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get a link to a file of an export
     * @description The link works for 5 minutes without an access token, for browsers and spreadsheets.
     */
    post: operations["createExportLink"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/api/exports": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create an export
     * @description Makes a dataset of the analyzed postings of some insights in a range of days. `start_date` must be before `end_date`. A `filter` has the same kinds as the parameters of a list of postings.
     */
    post: operations["createExportByOtherPath"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/api/exports/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an export
     * @description With another type than JSON in `Accept`, it answers as a download does. `columns`, `ids_only`, `delimiter` and `bom` are rendered while the file is read, so that it has no length and no ranges.
     */
    get: operations["getExportByOtherPath"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/postings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Erase postings
     * @description Erases a posting, or all postings of an author, from all searches of your company, for good: later polls and imports skip them. Give either social_id or author_id.
     */
    delete: operations["erasePostings"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/{id}/postings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List analyzed postings
     * @description Newest first by time of posting, or as `sort` and `order` say. Filters of several kinds must all be met, values of one kind are alternatives. A page may be short, above all with `q`: continue until next_cursor is null.
     */
    get: operations["listPostings"];
    put?: never;
    /**
     * Import postings
     * @description Stores and analyzes postings of your own, at most 10,000 a request: one JSON object a line, or CSV with a header. A wrong line refuses the request, and all wrong fields of all lines are named. A wrong row of a CSV file is left out and explained, and so is any without text and media, but a row of a platform that the search does not have refuses the file. What was stored before a 504 stays: the same request with the same Idempotency-Key continues there.
     */
    post: operations["importPostings"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/{id}/postings/{key}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a posting
     * @description `key` is that of its `more_info`.
     */
    get: operations["getPosting"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/platforms": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List platforms
     * @description Whether this server can collect from each platform, and what is missing otherwise.
     */
    get: operations["listPlatforms"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/{id}/coverage": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the coverage of an insight
     * @description For which spans of time the collection from each platform was complete; by default, since its creation.
     */
    get: operations["getCoverage"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List insights
     * @description Newest first, or in another order. With `q` or `metadata.KEY`, a page looks through a limited number of insights: it may have fewer entries than `limit`, or none, although more follow.
     */
    get: operations["listInsights"];
    put?: never;
    /**
     * Create an insight
     * @description Searches social platforms continuously, or once as a preview, and analyzes what it finds.
     */
    post: operations["createInsight"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/check": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check a query
     * @description Tells how the keywords were understood, and what a search would do on each platform. Stores nothing and sends nothing to the platforms. `start` and `end` of `details` say where each mistake in the keywords stands.
     */
    post: operations["checkInsight"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an insight */
    get: operations["getInsight"];
    put?: never;
    post?: never;
    /**
     * Delete an insight
     * @description Erases the search and all its postings.
     */
    delete: operations["deleteInsight"];
    options?: never;
    head?: never;
    /**
     * Change an insight
     * @description Changes the name, the note, the metadata and the query, and makes a preview continuous. What is absent or null stays as it is. A changed query is a new version, by which is collected what is posted from then on; summaries show where it begins. The same values again change nothing. Of changes that meet, each is made on what the one before has left.
     */
    patch: operations["updateInsight"];
    trace?: never;
  };
  "/api/v2/products/insight/{id}/pause": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Pause an insight
     * @description Afterwards no new posting is stored. Repeating it changes nothing.
     */
    put: operations["pauseInsight"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/{id}/resume": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Resume an insight
     * @description Collecting continues. Repeating it changes nothing.
     */
    put: operations["resumeInsight"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/products/insight/{id}/summary": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Summarize an insight
     * @description Counts the analyzed postings as they are now: totals, a series by time, the most frequent topics, hashtags, authors, labels and domains, the coverage, and spikes. With filters other than platforms and times the postings are counted for the request, as `counted` says, and no spikes are looked for. `q` is looked for in up to 50,000 postings.
     */
    get: operations["summarizeInsight"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/healthz": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Liveness
     * @description Whether the process answers at all.
     */
    get: operations["getHealth"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/readyz": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Readiness
     * @description Whether work can be done now. The state of each dependency is there only where monitors ask on this port.
     */
    get: operations["getReadiness"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/server": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What this server is
     * @description Its version and limits, which analyses and platforms it has, and how long it keeps what it is given.
     */
    get: operations["getServer"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/models": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What is known of the models
     * @description The cards of docs/models.md as data: measured scores by engine, languages, known limits, and the data.
     */
    get: operations["listModels"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/openapi.json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** This document */
    get: operations["getDocument"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    CreatedFile: {
      /**
       * Format: int64
       * @description Id of the new file.
       */
      id: number;
    };
    NewFile: {
      /**
       * Format: binary
       * @description The file, with a file name. 100 MiB, 40 megapixels and 15 minutes at most, unless configured.
       */
      file: Blob;
    };
    FilePage: {
      files: components["schemas"]["StoredFile"][];
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    StoredFile: {
      /**
       * Format: int64
       * @description Id of the file, for `contents` of an operation.
       */
      id: number;
      /** @description As you named it; a longer name is cut. */
      name: string;
      type: components["schemas"]["FileType"];
      /**
       * Format: int64
       * @description Bytes.
       */
      size: number;
      /** @description Pixels as shown, turned as viewers and players turn it. Null without pictures. */
      width: number | null;
      /** @description Pixels as shown, turned as viewers and players turn it. Null without pictures. */
      height: number | null;
      /** @description Seconds of sound or video. Null for pictures. */
      duration: number | null;
      /** @description Whether it has a track of sound. */
      has_sound: boolean;
      state: components["schemas"]["FileState"];
      /**
       * Format: date-time
       * @description When its upload began.
       */
      created_at: string;
      created_by: components["schemas"]["CreatedBy"] | null;
      /** @description When it is deleted unless an operation uses it. Null once one does. */
      expires_at: string | null;
    };
    /**
     * @description As its bytes tell.
     * @enum {string}
     */
    FileType: "png" | "jpg" | "mp3" | "mp4";
    /**
     * @description `unused`: free for an operation. `used`: an operation has it, with which it is deleted.
     * @enum {string}
     */
    FileState: "unused" | "used";
    /** @description Who created it. */
    CreatedBy: {
      /** @description The user, or who made the API key. Null: a command of the operator made the key. */
      user_id: number | null;
      /** @description The API key that was used. Null without one. */
      key_id: number | null;
      /** @description First and last name of the user as they were then, or the e-mail; of a key of a command, its name. */
      name: string | null;
    };
    /**
     * @description A WebP at most so many pixels wide, instead of the file; a smaller picture keeps its size.
     * @enum {integer}
     */
    PreviewWidth: 64 | 256 | 1024;
    FileLink: {
      /**
       * Format: uri
       * @description Where the file can be seen or heard without an access token.
       */
      url: string;
      /**
       * Format: date-time
       * @description When it stops working.
       */
      expires_at: string;
    };
    /** @description An analysis of a list of contents. `data` is null unless `status` is done, and with `data=false`, which leaves `query.contents` of many texts empty. */
    Operation: {
      /**
       * Format: int64
       * @description Id of the operation.
       */
      id: number;
      status: components["schemas"]["OperationStatus"];
      query: components["schemas"]["OperationQuery"];
      data: components["schemas"]["OperationData"] | null;
      /** @description Why it ended failed or invalid. */
      error?: string;
      progress: components["schemas"]["Progress"];
      /** @description Contents whose `error_code` is `unreadable` or `analysis_failed`. Null unless `status` is done. */
      failed_contents: number | null;
      /**
       * Format: date-time
       * @description When it was accepted.
       */
      created_at: string;
      /** @description When it came to its end. */
      finished_at: string | null;
      /** @description As you gave it. Absent without one. */
      name?: string;
      metadata?: components["schemas"]["Metadata"];
      created_by: components["schemas"]["CreatedBy"] | null;
    };
    /**
     * @description `ready`: stored. `pending`: in the queue. `running`. `done`: `data` holds the results. `failed`: given up after retries, through no fault of the contents. `invalid`: the contents cannot be analyzed.
     * @enum {string}
     */
    OperationStatus: "ready" | "pending" | "running" | "failed" | "invalid" | "done";
    /** @description What was asked for. Without `offsets`, those of the results count code points. */
    OperationQuery: {
      type: components["schemas"]["OperationType"];
      analyses: components["schemas"]["AnalysisType"][];
      contents: components["schemas"]["Content"][];
      contents_groups: string[] | null;
      /** @description Whether results say why they are so. Absent when it was not asked for. */
      explain?: boolean;
      offsets?: components["schemas"]["OffsetUnit"];
    };
    /**
     * @description What the contents are.
     * @enum {string}
     */
    OperationType: "text" | "file";
    /**
     * @description What to find out about a content.
     * @enum {string}
     */
    AnalysisType:
      | "sentiment-simple"
      | "sentiment-real"
      | "topic"
      | "spam-detection"
      | "personality-mb"
      | "intention"
      | "face-id"
      | "object-id"
      | "activity-id"
      | "logo-id"
      | "caption";
    /** @description The text, file id or file URL. */
    Content: string | number;
    /**
     * @description What offsets count. `code_points`: Unicode code points, the characters of Python. `utf16`: UTF-16 code units, the characters of JavaScript, Java and C#; a character beyond U+FFFF, such as an emoji, counts as two. In `😀 fine`, the word `fine` has the offsets 2 to 6 in code points and 3 to 7 in UTF-16.
     * @enum {string}
     */
    OffsetUnit: "code_points" | "utf16";
    OperationData: {
      /** @description Number of analyzed contents. */
      contents_count: number;
      /** @description In the order of the request. */
      contents: components["schemas"]["ContentResult"][];
    };
    ContentResult: {
      type: components["schemas"]["OperationType"];
      content: components["schemas"]["Content"];
      /** @description What the content offers to analyze. */
      dimensions: components["schemas"]["Dimension"][];
      /** @description The same as `analysis_types`. */
      analysis_type: components["schemas"]["AnalysisType"][];
      /** @description The analyses that apply to this content. */
      analysis_types: components["schemas"]["AnalysisType"][];
      analyses: components["schemas"]["Analysis"][];
      transcript?: components["schemas"]["Transcript"];
      /** @description What is written in its pictures, a line each. Present when a textual analysis was asked for and it has pictures. */
      ocr_text?: string;
      /** @description Lines in its pictures in scripts that cannot be read, the largest first; of a video, the surest line of each script. Absent if there are none. */
      unread_writing?: components["schemas"]["UnreadWriting"][];
      /** @description Why an analysis of this content has no result. */
      error?: string;
      error_code?: components["schemas"]["ContentErrorCode"];
    };
    /**
     * @description What a content offers to analyze.
     * @enum {string}
     */
    Dimension: "textual" | "audial" | "visual-image" | "visual-gif" | "visual-video";
    /** @description A result; the form of its `data` depends on its `type`. */
    Analysis:
      | components["schemas"]["SimpleSentimentAnalysis"]
      | components["schemas"]["RealSentimentAnalysis"]
      | components["schemas"]["TopicAnalysis"]
      | components["schemas"]["SpamAnalysis"]
      | components["schemas"]["PersonalityAnalysis"]
      | components["schemas"]["IntentionAnalysis"]
      | components["schemas"]["FaceAnalysis"]
      | components["schemas"]["ObjectAnalysis"]
      | components["schemas"]["ActivityAnalysis"]
      | components["schemas"]["LogoAnalysis"]
      | components["schemas"]["CaptionAnalysis"];
    /** @description A result of sentiment-simple. */
    SimpleSentimentAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "sentiment-simple";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["SimpleSentimentResult"];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
    };
    /**
     * @description Where the analyzed words or pixels came from.
     * @enum {string}
     */
    Source: "content" | "transcript" | "ocr" | "group";
    SimpleSentimentResult: {
      value: components["schemas"]["SimpleSentiment"];
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      prob: number;
      explanation?: components["schemas"]["SimpleSentimentExplanation"];
    };
    /**
     * @description A label of sentiment-simple.
     * @enum {string}
     */
    SimpleSentiment: "positive" | "neutral" | "negative";
    /** @description Why the text got its label. Only with `explain`. */
    SimpleSentimentExplanation: {
      probabilities: components["schemas"]["SimpleSentimentProbabilities"];
      /** @description The parts of the text that carried the decision, strongest first. Empty when no single words decided. They show what the model looked at, not whether it is right. */
      spans: components["schemas"]["Span"][];
    };
    /** @description Of every label. That of `value` is its `prob`. */
    SimpleSentimentProbabilities: {
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      positive: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      neutral: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      negative: number;
    };
    Span: {
      /** @description Where it begins, from 0, in Unicode code points, or in UTF-16 units if `query.offsets` is `utf16`. */
      start: number;
      /** @description Where it ends: the offset after its last character, in the same unit. */
      end: number;
      /** @description What stands there; of a longer span, only the first 64 code points, whatever its offsets count. `start` and `end` are those of the whole span. */
      text: string;
      /**
       * Format: double
       * @description How much it speaks for the label, up to 1, or, below 0, against it, down to -1.
       */
      weight: number;
    };
    /** @description What made the result. The operator of the server chooses the engine of each analysis: `fast` (linear models and rules), `accurate` (a small neural network), `builtin` (of pictures) or `models` (a larger model of their choice). */
    Model: {
      /**
       * @description Names the analysis and the kind of model; stable.
       * @example sentiment-simple-encoder
       */
      id: string;
      /**
       * @description Changes whenever results may change.
       * @example 1
       */
      version: string;
    };
    /**
     * @description Why `supported` is `false`; absent where it is not. `language`: the model was not measured, or is not good enough, in that language. `undetermined`: the text is too short, or its language unsure. `several_languages`: parts of it are surely in different ones. `no_spaces`: most of it lacks the spaces that its language has, so that its words cannot be found. `little_evidence`: the model finds too little to go by.
     * @enum {string}
     */
    UnsupportedReason: "language" | "undetermined" | "several_languages" | "no_spaces" | "little_evidence";
    /** @description A result of sentiment-real. */
    RealSentimentAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "sentiment-real";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["RealSentimentResult"];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
    };
    RealSentimentResult: {
      value: components["schemas"]["RealSentiment"];
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      prob: number;
      explanation?: components["schemas"]["RealSentimentExplanation"];
    };
    /**
     * @description A label of sentiment-real.
     * @enum {string}
     */
    RealSentiment:
      | "acceptance_self"
      | "acceptance"
      | "anger"
      | "annoyance"
      | "anxiety"
      | "calmness"
      | "contentment"
      | "disgust_self"
      | "disgust"
      | "dislike_self"
      | "dislike"
      | "eagerness"
      | "fear"
      | "joy"
      | "melancholy"
      | "pleasantness_self"
      | "pleasantness"
      | "responsiveness"
      | "sadness"
      | "serenity";
    /** @description Why the text got its label. Only with `explain`. */
    RealSentimentExplanation: {
      probabilities: components["schemas"]["RealSentimentProbabilities"];
      /** @description The parts of the text that carried the decision, strongest first. Empty when no single words decided. They show what the model looked at, not whether it is right. */
      spans: components["schemas"]["Span"][];
    };
    /** @description Of every label. That of `value` is its `prob`. */
    RealSentimentProbabilities: {
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      acceptance_self: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      acceptance: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      anger: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      annoyance: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      anxiety: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      calmness: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      contentment: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      disgust_self: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      disgust: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      dislike_self: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      dislike: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      eagerness: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      fear: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      joy: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      melancholy: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      pleasantness_self: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      pleasantness: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      responsiveness: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      sadness: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      serenity: number;
    };
    /** @description A result of topic. */
    TopicAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "topic";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["Topic"][];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
    };
    Topic: {
      /** @description A word or phrase of the content. */
      value: string;
      topic_type: components["schemas"]["TopicType"];
      /** @description Tag of the entity, or part of speech of the chunk's head. */
      sub_type: string | null;
      /** @description Every place where it stands, in order. Only with `explain`. All topics of a content have 500 at most; where there are more, the first ones of each topic. */
      offsets?: components["schemas"]["TextRange"][];
    };
    /** @enum {string} */
    TopicType: "entity" | "noun-chunk";
    TextRange: {
      /** @description Where it begins, from 0, in Unicode code points, or in UTF-16 units if `query.offsets` is `utf16`. */
      start: number;
      /** @description Where it ends: the offset after its last character, in the same unit. */
      end: number;
    };
    /** @description A result of spam-detection. */
    SpamAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "spam-detection";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["SpamResult"];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
    };
    SpamResult: {
      value: components["schemas"]["Spam"];
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      prob: number;
      explanation?: components["schemas"]["SpamExplanation"];
    };
    /**
     * @description A label of spam-detection.
     * @enum {string}
     */
    Spam: "spam" | "ham";
    /** @description Why the text got its label. Only with `explain`. */
    SpamExplanation: {
      probabilities: components["schemas"]["SpamProbabilities"];
      /** @description The parts of the text that carried the decision, strongest first. Empty when no single words decided. They show what the model looked at, not whether it is right. */
      spans: components["schemas"]["Span"][];
    };
    /** @description Of every label. That of `value` is its `prob`. */
    SpamProbabilities: {
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      spam: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      ham: number;
    };
    /** @description A result of personality-mb. */
    PersonalityAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "personality-mb";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["Personality"];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
    };
    Personality: {
      /** @description Focus, information, decisions and lifestyle, a letter each. */
      value: string;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      prob1: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      prob2: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      prob3: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      prob4: number;
      /** @description Whether several contents were looked at together. */
      group: boolean;
    };
    /** @description A result of intention. */
    IntentionAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "intention";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["IntentionResult"];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
    };
    IntentionResult: {
      value: components["schemas"]["Intention"];
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      prob: number;
      explanation?: components["schemas"]["IntentionExplanation"];
    };
    /**
     * @description A label of intention.
     * @enum {string}
     */
    Intention:
      "assertion" | "valuation" | "palinode" | "contrition" | "forecast" | "wish" | "proposal" | "inducement" | "none";
    /** @description Why the text got its label. Only with `explain`. */
    IntentionExplanation: {
      probabilities: components["schemas"]["IntentionProbabilities"];
      /** @description The parts of the text that carried the decision, strongest first. Empty when no single words decided. They show what the model looked at, not whether it is right. */
      spans: components["schemas"]["Span"][];
    };
    /** @description Of every label. That of `value` is its `prob`. */
    IntentionProbabilities: {
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      assertion: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      valuation: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      palinode: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      contrition: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      forecast: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      wish: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      proposal: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      inducement: number;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      none: number;
    };
    /** @description A result of face-id. */
    FaceAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "face-id";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["Detection"][];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
    };
    Detection: {
      /** @description A detected label. A face is `face`, or the name of a person whom the company has enrolled. */
      value: string;
      /**
       * Format: double
       * @description Calibrated probability: of results with 0.8, about 8 in 10 are right.
       */
      prob: number;
      /** @description How many there are in a picture: as many as `boxes`, or more if these are too many to list. Absent where the engine does not find places. */
      count?: number;
      /** @description Where they are in a picture, surest first. Absent where the engine does not find places. */
      boxes?: components["schemas"]["DetectedBox"][];
      /** @description When it was seen, and where. Videos and animations only. */
      moments?: components["schemas"]["TimeSpan"][];
    };
    /** @description `[x, y, width, height, prob]`: the left and upper edge, width and height as fractions of the width and height of the picture as it is shown, turned by its Exif orientation, and the probability of what is seen there. */
    DetectedBox: number[];
    TimeSpan: {
      /**
       * Format: double
       * @description Seconds from the start, to a tenth.
       */
      start: number;
      /**
       * Format: double
       * @description Seconds from the start, to a tenth.
       */
      end: number;
      /**
       * Format: double
       * @description Time of the picture that `count` and `boxes` are of, in seconds from the start, to a thousandth: of those in this span the one that shows most of them.
       */
      at?: number;
      /** @description How many there are at `at`: as many as `boxes`, or more if these are too many to list. Absent where the engine does not find places. */
      count?: number;
      /** @description Where they are at `at`, surest first. Absent where the engine does not find places. */
      boxes?: components["schemas"]["DetectedBox"][];
    };
    /** @description A result of object-id. */
    ObjectAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "object-id";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["Detection"][];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
      nsfw?: components["schemas"]["NsfwRating"];
    };
    /** @description How likely the picture shows naked people or sex, for moderators: look at it yourself before you decide. */
    NsfwRating: {
      /**
       * Format: double
       * @description Not calibrated; of a video or animation the highest of its pictures. Absent if there is an `error`.
       */
      score?: number;
      /**
       * Format: double
       * @description When that picture is shown, in seconds from the start; videos and animations only.
       */
      at?: number;
      model?: components["schemas"]["Model"];
      /** @description Why there is no score. */
      error?: string;
    };
    /** @description A result of activity-id. */
    ActivityAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "activity-id";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["Detection"][];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
    };
    /** @description A result of logo-id. */
    LogoAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "logo-id";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["Detection"][];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
    };
    /** @description A result of caption. */
    CaptionAnalysis: {
      source: components["schemas"]["Source"];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "caption";
      dimension: components["schemas"]["Dimension"];
      /** @description Index into `query.contents_groups`. */
      group_index: number | null;
      data: components["schemas"]["Caption"][];
      model?: components["schemas"]["Model"];
      /**
       * @description Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, `mul` when one part is surely in another language than the rest.
       * @example en
       */
      language?: string;
      /** @description Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of `personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other languages it stays close to what most texts get, with a low `prob`. */
      supported?: boolean;
      unsupported_reason?: components["schemas"]["UnsupportedReason"];
    };
    Caption: {
      /** @description What an image shows. */
      description: string | null;
      /** @description Length of a video, HH:MM:SS. */
      duration: string | null;
      /** @description What a video shows, from when on. */
      descriptions: components["schemas"]["CaptionMoment"][] | null;
    };
    CaptionMoment: {
      /** @description HH:MM:SS from the start. */
      timestamp: string;
      description: string;
    };
    /** @description What is said in it. Present when a textual analysis was asked for and it has sound. */
    Transcript: {
      /** @description All that is said; empty when nobody speaks. */
      text: string;
      segments: components["schemas"]["TranscriptSegment"][];
      /** @description ISO 639-1: the language in which most is said; absent if nothing is understood. */
      language?: string;
      /** @description Whether transcripts in that language were measured; absent without a language. */
      supported?: boolean;
      model: components["schemas"]["Model"];
    };
    TranscriptSegment: {
      /**
       * Format: double
       * @description Seconds from the start, to a tenth.
       */
      start: number;
      /**
       * Format: double
       * @description Seconds from the start, to a tenth.
       */
      end: number;
      /** @description What is said in between. */
      text: string;
      /** @description The language spoken, ISO 639-1. */
      language?: string;
    };
    UnreadWriting: {
      /** @description English name of the script, such as `Cyrillic`. */
      script: string;
      box: components["schemas"]["DetectedBox"];
      /**
       * Format: double
       * @description Only in videos and animations: the time of the picture with it, in seconds from the start.
       */
      at?: number;
    };
    /**
     * @description The gravest of the reasons in `error`. `unreadable`: it could not be fetched, is damaged or of another kind. `analysis_failed`: an analysis could not be made. `unknown_analysis`: a newer release made a result. `speech_unclear`: somebody speaks, but cannot be understood, or not always. `unsupported_script`: there is writing in it that cannot be read. `not_applicable`: there is nothing in it that the analysis is about, such as pictures or words.
     * @enum {string}
     */
    ContentErrorCode:
      | "unreadable"
      | "analysis_failed"
      | "unknown_analysis"
      | "speech_unclear"
      | "not_applicable"
      | "unsupported_script";
    Progress: {
      /** @description Contents analyzed so far. */
      done: number;
      total: number;
    };
    /** @description As you gave it. Absent without any. */
    Metadata: {
      [key: string]: string;
    };
    OperationContentPage: {
      /** @description In the order of the request. */
      contents: components["schemas"]["OperationContent"][];
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    /** @description A content of an operation, with what was found in it. */
    OperationContent: {
      type: components["schemas"]["OperationType"];
      content: components["schemas"]["Content"];
      /** @description What the content offers to analyze. */
      dimensions: components["schemas"]["Dimension"][];
      /** @description The same as `analysis_types`. */
      analysis_type: components["schemas"]["AnalysisType"][];
      /** @description The analyses that apply to this content. */
      analysis_types: components["schemas"]["AnalysisType"][];
      analyses: components["schemas"]["Analysis"][];
      transcript?: components["schemas"]["Transcript"];
      /** @description What is written in its pictures, a line each. Present when a textual analysis was asked for and it has pictures. */
      ocr_text?: string;
      /** @description Lines in its pictures in scripts that cannot be read, the largest first; of a video, the surest line of each script. Absent if there are none. */
      unread_writing?: components["schemas"]["UnreadWriting"][];
      /** @description Why an analysis of this content has no result. */
      error?: string;
      error_code?: components["schemas"]["ContentErrorCode"];
      /** @description Index into `query.contents`. */
      index: number;
    };
    /** @description File ids or URLs, not both. */
    FileContents: components["schemas"]["FileIds"] | components["schemas"]["FileUrls"];
    FileIds: number[];
    FileUrls: string[];
    CreatedOperation: {
      /**
       * Format: int64
       * @description Id of the new operation.
       */
      id: number;
    };
    /** @description At least one textual analysis when type is text. */
    NewOperation: components["schemas"]["TextOperation"] | components["schemas"]["FileOperation"];
    TextOperation: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "text";
      analyses: components["schemas"]["AnalysisType"][];
      contents: string[];
      /** @description Each entry lists indexes into `contents`, from 0, separated by commas: `0,1,2`. Absent: all contents form one group. Has effect for personality-mb only. */
      contents_groups?: string[] | null;
      /** @description Whether results say why they are so: `sentiment-simple`, `sentiment-real`, `spam-detection` and `intention` get the probabilities of all labels and the spans that carried the decision, `topic` the places of every topic. Takes more time and larger answers; has no effect on other analyses. False when absent. */
      explain?: boolean | null;
      /** @description What the offsets of `explanation.spans` and of topics count: `code_points`, also when absent, or `utf16`, with which JavaScript, Java and C# can slice the text directly. Has no effect without `explain`. */
      offsets?: components["schemas"]["OffsetUnit"] | null;
      /** @description What you call it, for people. Lists find it by `q`. */
      name?: string | null;
      metadata?: components["schemas"]["NewMetadata"] | null;
    };
    /** @description What your programs want to know of it, as texts by keys. */
    NewMetadata: {
      [key: string]: string;
    };
    FileOperation: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "file";
      analyses: components["schemas"]["AnalysisType"][];
      contents: components["schemas"]["FileContents"];
      /** @description Each entry lists indexes into `contents`, from 0, separated by commas: `0,1,2`. Absent: all contents form one group. Has effect for personality-mb only. */
      contents_groups?: string[] | null;
      /** @description Whether results say why they are so: `sentiment-simple`, `sentiment-real`, `spam-detection` and `intention` get the probabilities of all labels and the spans that carried the decision, `topic` the places of every topic. Takes more time and larger answers; has no effect on other analyses. False when absent. */
      explain?: boolean | null;
      /** @description What the offsets of `explanation.spans` and of topics count: `code_points`, also when absent, or `utf16`, with which JavaScript, Java and C# can slice the text directly. Has no effect without `explain`. */
      offsets?: components["schemas"]["OffsetUnit"] | null;
      /** @description What you call it, for people. Lists find it by `q`. */
      name?: string | null;
      metadata?: components["schemas"]["NewMetadata"] | null;
    };
    OperationPage: {
      operations: components["schemas"]["ListedOperation"][];
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    /** @description An operation without contents and results. */
    ListedOperation: {
      /**
       * Format: int64
       * @description Id of the operation.
       */
      id: number;
      status: components["schemas"]["OperationStatus"];
      query: components["schemas"]["ListedQuery"];
      /** @description Why it ended failed or invalid. */
      error?: string;
      progress: components["schemas"]["Progress"];
      /** @description Contents whose `error_code` is `unreadable` or `analysis_failed`. Null unless `status` is done. */
      failed_contents: number | null;
      /**
       * Format: date-time
       * @description When it was accepted.
       */
      created_at: string;
      /** @description When it came to its end. */
      finished_at: string | null;
      /** @description As you gave it. Absent without one. */
      name?: string;
      metadata?: components["schemas"]["Metadata"];
      created_by: components["schemas"]["CreatedBy"] | null;
      /** @description The first 120 characters of the first content; of a file its URL, or its id in digits. */
      preview: string;
    };
    /** @description What was asked for. Without `offsets`, those of the results count code points. */
    ListedQuery: {
      type: components["schemas"]["OperationType"];
      analyses: components["schemas"]["AnalysisType"][];
      contents_groups: string[] | null;
      /** @description Whether results say why they are so. Absent when it was not asked for. */
      explain?: boolean;
      offsets?: components["schemas"]["OffsetUnit"];
    };
    User: {
      /**
       * Format: int64
       * @description Id of the user.
       */
      id: number;
      email: string;
      first_name: string;
      last_name: string;
      company: components["schemas"]["Company"];
    };
    Company: {
      /**
       * Format: int64
       * @description Id of the company.
       */
      id: number;
      name: string;
      products: components["schemas"]["Product"][];
    };
    Product: {
      /** @description `api` (operations, upload) or `insight` (insights, exports). */
      uid: string;
      /** @description Whether the company can use it now. */
      active: boolean;
    };
    SignIn: {
      user: components["schemas"]["Credentials"];
    };
    Credentials: {
      /** @description Compared without case and without blanks around it. */
      email: string;
      /** Format: password */
      password: string;
      /** @description Name of your company. Needed only where users of several companies have this e-mail and password. */
      company?: string | null;
    };
    /** @description A JSON Web Key Set (RFC 7517). */
    KeySet: {
      keys: components["schemas"]["Key"][];
    };
    /** @description A public key as a JSON Web Key. */
    Key: {
      [key: string]: unknown;
    };
    Me: {
      /** @description Yours, or of the user who made the API key. */
      id: number | null;
      email: string | null;
      first_name: string;
      last_name: string;
      company: components["schemas"]["Company"];
      role: components["schemas"]["Role"];
      /** @description When the access token or the API key ends. Null: never. */
      expires_at: string | null;
      /** @description The API key that was sent; null with an access token. */
      key: components["schemas"]["KeyInUse"] | null;
    };
    /**
     * @description `admin` manages the users of the company, `member` does everything else, `viewer` only reads.
     * @enum {string}
     */
    Role: "admin" | "member" | "viewer";
    KeyInUse: {
      /**
       * Format: int64
       * @description Id of the API key.
       */
      id: number;
      name: string;
      scopes: components["schemas"]["KeyScope"][];
      read_only: boolean;
    };
    /**
     * @description `operations` includes uploads.
     * @enum {string}
     */
    KeyScope: "operations" | "insights" | "exports";
    RenewedToken: {
      /**
       * Format: date-time
       * @description When the new access token ends.
       */
      expires_at: string;
    };
    NewPassword: {
      /** Format: password */
      current_password: string;
      /**
       * Format: password
       * @description The new one.
       */
      password: string;
    };
    ApiKeyPage: {
      keys: components["schemas"]["ApiKey"][];
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    ApiKey: {
      /**
       * Format: int64
       * @description Id of the API key.
       */
      id: number;
      name: string;
      scopes: components["schemas"]["KeyScope"][];
      /** @description Whether it only reads. */
      read_only: boolean;
      /** @description Its first characters. */
      prefix: string;
      /**
       * Format: date-time
       * @description When it was made.
       */
      created_at: string;
      /** @description When it ends. Null: never. */
      expires_at: string | null;
      /** @description When it was last used, to within some minutes. Null: never. */
      last_used_at: string | null;
      /** @description Who made it, or keeps it. Null: a command of the operator made it. */
      created_by: components["schemas"]["CreatedBy"] | null;
    };
    CreatedApiKey: {
      /**
       * Format: int64
       * @description Id of the API key.
       */
      id: number;
      name: string;
      scopes: components["schemas"]["KeyScope"][];
      /** @description Whether it only reads. */
      read_only: boolean;
      /** @description Its first characters. */
      prefix: string;
      /**
       * Format: date-time
       * @description When it was made.
       */
      created_at: string;
      /** @description When it ends. Null: never. */
      expires_at: string | null;
      /** @description When it was last used, to within some minutes. Null: never. */
      last_used_at: string | null;
      /** @description Who made it, or keeps it. Null: a command of the operator made it. */
      created_by: components["schemas"]["CreatedBy"] | null;
      /** @description The key itself, to be sent as `Authorization: Bearer hg_…`. It is shown only here, and for a day to who repeats the request with its Idempotency-Key. */
      key: string;
    };
    NewApiKey: {
      /** @description What it is for. */
      name: string;
      scopes: components["schemas"]["KeyScope"][];
      /** @description Whether it only reads. Absent: false. */
      read_only?: boolean | null;
      /** @description When it ends. Null: never. */
      expires_at?: (string | unknown | unknown) | null;
    };
    UserPage: {
      users: components["schemas"]["CompanyUser"][];
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    CompanyUser: {
      /**
       * Format: int64
       * @description Id of the user.
       */
      id: number;
      email: string;
      first_name: string;
      last_name: string;
      role: components["schemas"]["Role"];
      /**
       * Format: date-time
       * @description When the user was made.
       */
      created_at: string;
      /** @description Whether the user can sign in. */
      active: boolean;
    };
    CreatedUser: {
      /**
       * Format: int64
       * @description Id of the user.
       */
      id: number;
      email: string;
      first_name: string;
      last_name: string;
      role: components["schemas"]["Role"];
      /**
       * Format: date-time
       * @description When the user was made.
       */
      created_at: string;
      /** @description Whether the user can sign in. */
      active: boolean;
      /** @description The generated password. It is shown only here, and for a day to who repeats the request with its Idempotency-Key; the user changes it with `PUT /api/v2/me/password`. */
      password: string;
    };
    NewUser: {
      /**
       * Format: email
       * @description Compared without case.
       */
      email: string;
      first_name?: string | null;
      last_name?: string | null;
      /** @description Absent: `member`. */
      role?: components["schemas"]["Role"] | null;
    };
    /** @description Admins, and users who ask for themselves, get all of it; everybody else of the company the id and the names. */
    OneUser: {
      /**
       * Format: int64
       * @description Id of the user.
       */
      id: number;
      first_name: string;
      last_name: string;
      email?: string;
      role?: components["schemas"]["Role"];
      /**
       * Format: date-time
       * @description When the user was made.
       */
      created_at?: string;
      /** @description Whether the user can sign in. */
      active?: boolean;
    };
    ChangedUser: {
      /**
       * Format: int64
       * @description Id of the user.
       */
      id: number;
      email: string;
      first_name: string;
      last_name: string;
      role: components["schemas"]["Role"];
      /**
       * Format: date-time
       * @description When the user was made.
       */
      created_at: string;
      /** @description Whether the user can sign in. */
      active: boolean;
      /** @description The API keys of the user, which ended. */
      keys_ended: components["schemas"]["EndedKey"][];
    };
    EndedKey: {
      /**
       * Format: int64
       * @description Id that the API key had.
       */
      id: number;
      name: string;
      /** @description Its first characters. */
      prefix: string;
    };
    UserChange: {
      email?: string | null;
      first_name?: string | null;
      last_name?: string | null;
      role?: components["schemas"]["Role"] | null;
      /** @description False ends the sessions and API keys of the user, who cannot sign in until it is true again. */
      active?: boolean | null;
    };
    DeletedUser: {
      /** @description The API keys of the user, which ended. */
      keys_ended: components["schemas"]["EndedKey"][];
    };
    AuditPage: {
      events: components["schemas"]["AuditEvent"][];
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    AuditEvent: {
      /**
       * Format: int64
       * @description Id of the entry.
       */
      id: number;
      /**
       * Format: date-time
       * @description When it was done.
       */
      at: string;
      /** @description What was done, such as `user.sign_in`, `key.create` or `export.delete`. */
      action: string;
      outcome: components["schemas"]["AuditOutcome"];
      /** @description Who did it, or made the API key. Null: a command of the operator did it. */
      user_id: number | null;
      /** @description Of that user, as it was then. */
      email: string | null;
      /** @description The API key that was used. Null without one. */
      key_id: number | null;
      /** @description What it was about: the operation, file, insight, export, key, user or company. */
      record_id: number | null;
      /** @description What that was called then, such as the name of a key or the e-mail of a user. */
      record_name: string | null;
      /** @description `X-Request-Id` of the request. Null: a command of the operator did it. */
      request_id: string | null;
      /** @description Address of the client. Null: a command of the operator did it. */
      client_address: string | null;
      changes: components["schemas"]["AuditChanges"];
    };
    /**
     * @description `unknown`: the server stopped or lost its storage meanwhile, so it may have been done.
     * @enum {string}
     */
    AuditOutcome: "done" | "unknown";
    /** @description What was changed, by field. Never a secret. */
    AuditChanges: {
      [key: string]: components["schemas"]["AuditChange"];
    };
    AuditChange: {
      /** @description The value before. Null: there was none. */
      from: unknown;
      /** @description The value afterward. Null: there is none. */
      to: unknown;
    };
    CreatedExport: {
      /**
       * Format: int64
       * @description Id of the new export.
       */
      id: number;
    };
    NewExport: {
      insight_search_ids: number[];
      /**
       * Format: date
       * @description Postings created on this day or later, in UTC.
       */
      start_date: string;
      /**
       * Format: date
       * @description Postings created before this day, in UTC.
       */
      end_date: string;
      filter?: components["schemas"]["NewExportFilter"] | null;
      metadata?: components["schemas"]["NewMetadata"] | null;
    };
    /** @description Which postings of the range are exported: all kinds must be met. */
    NewExportFilter: {
      /** @description From these platforms. */
      platform?: components["schemas"]["Platform"][] | null;
      /** @description With one of these polarities, which are those of sentiment-simple. */
      polarity?: components["schemas"]["PolarityFilter"][] | null;
      /** @description With one of these emotions; `none`: without any. */
      sentiment?: (string | components["schemas"]["RealSentiment"] | "none")[] | null;
      /** @description With one of these intentions. */
      intention?: (string | components["schemas"]["Intention"] | "none")[] | null;
      /** @description In one of these languages by their ISO 639-1 codes, in any case; `none`: unknown. Others are refused. */
      language?: string[] | null;
      /** @description From one of these countries by their ISO 3166-1 codes, in any case; `none`: unknown. Others are refused. */
      country?: string[] | null;
      /** @description Of one of these types, such as `post`, `reply` or `repost`. */
      type?: string[] | null;
      /** @description Whether spam-detection calls them spam; `none`: it did not judge them. */
      spam?: components["schemas"]["SpamFilter"][] | null;
      /** @description By an author with this id, user name or name. */
      author?: string[] | null;
      /** @description With this topic. */
      topic?: string[] | null;
      /** @description With this hashtag, with or without its sign. */
      hashtag?: string[] | null;
      /** @description With an address on this host. */
      domain?: string[] | null;
      /** @description With this face, object, activity or logo in their media. */
      label?: string[] | null;
      /** @description That match this query, in the language of keywords. */
      q?: string | null;
      /** @description Posted at this moment or later, within the range of days. */
      start?: string | null;
      /** @description Posted before this moment, within the range of days. */
      end?: string | null;
    };
    /** @enum {string} */
    PolarityFilter: "positive" | "neutral" | "negative" | "none";
    /** @enum {string} */
    SpamFilter: "true" | "false" | "none";
    ExportPage: {
      exports: components["schemas"]["ListedExport"][];
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    /** @description An export without its data. */
    ListedExport: {
      /**
       * Format: int64
       * @description Id of the export.
       */
      id: number;
      status: components["schemas"]["ExportStatus"];
      query: components["schemas"]["ExportQuery"];
      /** @description Why it failed. */
      error?: string;
      progress: components["schemas"]["ExportProgress"];
      /** @description Postings in it; null unless it is done. */
      rows: number | null;
      /** @description The formats it can be downloaded in; empty unless it is done. */
      files: components["schemas"]["ExportFile"][];
      /**
       * Format: date-time
       * @description When it was accepted.
       */
      created_at: string;
      metadata?: components["schemas"]["Metadata"];
      created_by: components["schemas"]["CreatedBy"] | null;
      /** @description When it came to its end. */
      finished_at: string | null;
      /** @description When it is deleted; null if never. */
      expires_at: string | null;
      /** @description When erased postings were last removed from it; null if never. */
      revised_at: string | null;
    };
    /** @enum {string} */
    ExportStatus: "pending" | "running" | "failed" | "done";
    /** @description What an export was asked for. */
    ExportQuery: {
      insight_search_ids: number[];
      /**
       * Format: date
       * @description First day.
       */
      start_date: string;
      /**
       * Format: date
       * @description Day after the last.
       */
      end_date: string;
      filter?: components["schemas"]["ExportFilter"];
    };
    ExportFilter: {
      platform?: components["schemas"]["Platform"][];
      polarity?: components["schemas"]["PolarityFilter"][];
      sentiment?: (string | components["schemas"]["RealSentiment"] | "none")[];
      intention?: (string | components["schemas"]["Intention"] | "none")[];
      language?: string[];
      country?: string[];
      type?: string[];
      spam?: components["schemas"]["SpamFilter"][];
      author?: string[];
      topic?: string[];
      hashtag?: string[];
      domain?: string[];
      label?: string[];
      q?: string;
      /**
       * Format: date-time
       * @description Inclusive.
       */
      start?: string;
      /**
       * Format: date-time
       * @description Exclusive.
       */
      end?: string;
    };
    /**
     * @description A social platform.
     * @enum {string}
     */
    Platform:
      | "twitter"
      | "reddit"
      | "news"
      | "youtube-videos"
      | "youtube-comments"
      | "facebook"
      | "instagram"
      | "linkedin"
      | "tiktok"
      | "bluesky"
      | "mastodon";
    /** @description How far an export is. */
    ExportProgress: {
      /** @description Of the total, those analyzed and rendered: all of them once the export is done. */
      done: number;
      /** @description Postings to export; null until they have been counted. */
      total: number | null;
      /** @description Of these, those whose analysis is done or was given up. */
      analysed: number;
      /** @description Of these, those rendered. */
      rendered: number;
    };
    ExportFile: {
      format: components["schemas"]["ExportFormat"];
      /**
       * Format: int64
       * @description Bytes.
       */
      size: number;
    };
    /**
     * @description `json` is an array of postings, `ndjson` a posting a line.
     * @enum {string}
     */
    ExportFormat: "json" | "csv" | "ndjson" | "parquet";
    /**
     * @description A key of a posting, or `posted_at`: its date and time as one value.
     * @enum {string}
     */
    ExportedKey:
      | "insight_search_id"
      | "social_id"
      | "social_url"
      | "platform"
      | "sentiments"
      | "intentions"
      | "topic_1"
      | "topic_2"
      | "topic_3"
      | "topic_4"
      | "topic_5"
      | "topic_6"
      | "topic_7"
      | "topic_8"
      | "visual_detection_analyses"
      | "text_of_post"
      | "terms"
      | "post_date"
      | "post_time"
      | "text_post_lang"
      | "text_post_type"
      | "text_post_tagged_users"
      | "text_post_tags"
      | "geo_coordination"
      | "place_type"
      | "place_full_name"
      | "place_country_code"
      | "place_country_name"
      | "place_id"
      | "share_count"
      | "like_count"
      | "angry_count"
      | "laugh_count"
      | "love_count"
      | "sad_count"
      | "support_count"
      | "wow_count"
      | "appreciation_count"
      | "empathy_count"
      | "interest_count"
      | "maybe_count"
      | "praise_count"
      | "digg_count"
      | "reaction_total_count"
      | "video_play_count"
      | "video_view_count"
      | "view_count"
      | "share_with_comment_count"
      | "comment_count"
      | "author_id"
      | "author_username"
      | "author_type"
      | "author_name"
      | "more_info"
      | "posted_at";
    /**
     * @description Which postings hold only platform, social_id and social_url, which platforms allow to be passed on: all, none, or those whose platform allows no more.
     * @enum {string}
     */
    IdsOnly: "true" | "false" | "where_required";
    /**
     * @description What separates the cells of CSV.
     * @enum {string}
     */
    CsvDelimiter: "comma" | "semicolon" | "tab";
    /** @description A posting and its analysis; null is what the platform did not say. */
    Posting: {
      /** @description Id of the insight it belongs to. */
      insight_search_id: string;
      /** @description Id on its platform. */
      social_id: string | null;
      /** @description URL on its platform. */
      social_url: string | null;
      platform: components["schemas"]["Platform"];
      sentiments: components["schemas"]["RealSentiment"] | null;
      intentions: components["schemas"]["Intention"] | null;
      topic_1: string | null;
      topic_2: string | null;
      topic_3: string | null;
      topic_4: string | null;
      topic_5: string | null;
      topic_6: string | null;
      topic_7: string | null;
      topic_8: string | null;
      /** @description Labels of detected faces, objects, activities and logos. */
      visual_detection_analyses: string[] | null;
      text_of_post: string | null;
      /** @description Subject terms of the insight, comma-separated. */
      terms: string;
      /** @description M/D/YYYY, in UTC. */
      post_date: string;
      /** @description HH:MM:SS, in UTC. */
      post_time: string;
      /** @description Language of the text. */
      text_post_lang: string | null;
      /** @description Type of the posting. */
      text_post_type: string | null;
      /** @description Tagged users. */
      text_post_tagged_users: string[] | null;
      /** @description Hashtags. */
      text_post_tags: string[] | null;
      /** @description Longitude and latitude, such as `-1.5491,53.8008`. */
      geo_coordination: string | null;
      place_type: string | null;
      place_full_name: string | null;
      place_country_code: string | null;
      place_country_name: string | null;
      place_id: string | null;
      share_count: components["schemas"]["Count64"] | null;
      like_count: components["schemas"]["Count64"] | null;
      angry_count: components["schemas"]["Count64"] | null;
      laugh_count: components["schemas"]["Count64"] | null;
      love_count: components["schemas"]["Count64"] | null;
      sad_count: components["schemas"]["Count64"] | null;
      support_count: components["schemas"]["Count64"] | null;
      wow_count: components["schemas"]["Count64"] | null;
      appreciation_count: components["schemas"]["Count64"] | null;
      empathy_count: components["schemas"]["Count64"] | null;
      interest_count: components["schemas"]["Count64"] | null;
      maybe_count: components["schemas"]["Count64"] | null;
      praise_count: components["schemas"]["Count64"] | null;
      digg_count: components["schemas"]["Count64"] | null;
      reaction_total_count: components["schemas"]["Count64"] | null;
      video_play_count: components["schemas"]["Count64"] | null;
      video_view_count: components["schemas"]["Count64"] | null;
      view_count: components["schemas"]["Count64"] | null;
      share_with_comment_count: components["schemas"]["Count64"] | null;
      comment_count: components["schemas"]["Count64"] | null;
      author_id: string | null;
      author_username: string | null;
      author_type: string | null;
      author_name: string | null;
      more_info: components["schemas"]["MoreInfo"] | null;
    };
    /** @description A whole number; below zero where a platform counts votes against. */
    Count64: string;
    /**
     * @description Additional information. This server writes `key`, which names the posting within its insight, and what the words of an analyzed posting are: `sentiment_simple`, by which summaries count polarities; `emotion`, the likeliest one also where `sentiments` is null for lack of evidence; `intention_prob`; `spam`.
     * @example {
     *       "key": "news-Ck3bVY0z0PqhG8mS0S5n2w",
     *       "sentiment_simple": {
     *         "value": "neutral",
     *         "prob": 0.9601
     *       },
     *       "emotion": {
     *         "value": "eagerness",
     *         "prob": 0.2785
     *       },
     *       "intention_prob": 0.8868,
     *       "spam": {
     *         "value": "ham",
     *         "prob": 0.9997
     *       }
     *     }
     */
    MoreInfo: {
      [key: string]: unknown;
    };
    Export: {
      /**
       * Format: int64
       * @description Id of the export.
       */
      id: number;
      status: components["schemas"]["ExportStatus"];
      query: components["schemas"]["ExportQuery"];
      /** @description Why it failed. */
      error?: string;
      progress: components["schemas"]["ExportProgress"];
      /** @description Postings in it; null unless it is done. */
      rows: number | null;
      /** @description The formats it can be downloaded in; empty unless it is done. */
      files: components["schemas"]["ExportFile"][];
      /**
       * Format: date-time
       * @description When it was accepted.
       */
      created_at: string;
      metadata?: components["schemas"]["Metadata"];
      created_by: components["schemas"]["CreatedBy"] | null;
      /** @description When it came to its end. */
      finished_at: string | null;
      /** @description When it is deleted; null if never. */
      expires_at: string | null;
      /** @description When erased postings were last removed from it; null if never. */
      revised_at: string | null;
      /** @description For which spans of the range each insight was collected completely, as known when the export was made. Empty unless it is done. */
      coverage: components["schemas"]["ExportCoverage"][];
      /** @description Null unless `status` is done. */
      data: components["schemas"]["Posting"][] | null;
    };
    ExportCoverage: {
      /**
       * Format: int64
       * @description Id of an insight.
       */
      insight_search_id: number;
      platforms: components["schemas"]["PlatformCoverage"][];
    };
    PlatformCoverage: {
      platform: components["schemas"]["Platform"];
      spans: components["schemas"]["CoverageSpan"][];
    };
    CoverageSpan: {
      /**
       * Format: date-time
       * @description Inclusive.
       */
      start: string;
      /**
       * Format: date-time
       * @description Exclusive.
       */
      end: string;
      completeness: components["schemas"]["Completeness"];
      reasons: components["schemas"]["GapReason"][];
    };
    /**
     * @description `complete`: all that the platform returned; `thin`: possibly not all; `unknown`: nothing is known.
     * @enum {string}
     */
    Completeness: "complete" | "thin" | "unknown";
    /**
     * @description Why a span is not complete. `query_changed`: the query of that time did not name the platform (`unknown`), or what was not collected before a change of the query was collected by the one after it (`thin`).
     * @enum {string}
     */
    GapReason:
      | "budget"
      | "page_limit"
      | "outage"
      | "pause"
      | "not_configured"
      | "before_window"
      | "preview"
      | "pending"
      | "query_changed";
    ExportLink: {
      /**
       * Format: uri
       * @description Where the file can be downloaded without an access token.
       */
      url: string;
      /**
       * Format: date-time
       * @description When it stops working.
       */
      expires_at: string;
    };
    NewExportLink: {
      format: components["schemas"]["ExportFormat"];
    };
    PostingsErased: {
      /**
       * Format: int64
       * @description Postings that were erased.
       */
      deleted: number;
    };
    /** @enum {string} */
    PostingSort:
      | "posted_at"
      | "engagement"
      | "share_count"
      | "like_count"
      | "angry_count"
      | "laugh_count"
      | "love_count"
      | "sad_count"
      | "support_count"
      | "wow_count"
      | "appreciation_count"
      | "empathy_count"
      | "interest_count"
      | "maybe_count"
      | "praise_count"
      | "digg_count"
      | "reaction_total_count"
      | "video_play_count"
      | "video_view_count"
      | "view_count"
      | "share_with_comment_count"
      | "comment_count";
    /** @enum {string} */
    SortOrder: "asc" | "desc";
    PostingPage: {
      postings: components["schemas"]["Posting"][];
      /**
       * Format: int64
       * @description Postings of all pages; only with `total=true`.
       */
      total?: number;
      /** @description False: there are at least `total` postings. Only with `total=true`. */
      total_is_exact?: boolean;
      /** @description For `since` of a later request, which then gets what was analyzed after this answer. */
      watermark: string;
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    /** @description A posting, and why it is read as it is. */
    SinglePosting: {
      /** @description Id of the insight it belongs to. */
      insight_search_id: string;
      /** @description Id on its platform. */
      social_id: string | null;
      /** @description URL on its platform. */
      social_url: string | null;
      platform: components["schemas"]["Platform"];
      sentiments: components["schemas"]["RealSentiment"] | null;
      intentions: components["schemas"]["Intention"] | null;
      topic_1: string | null;
      topic_2: string | null;
      topic_3: string | null;
      topic_4: string | null;
      topic_5: string | null;
      topic_6: string | null;
      topic_7: string | null;
      topic_8: string | null;
      /** @description Labels of detected faces, objects, activities and logos. */
      visual_detection_analyses: string[] | null;
      text_of_post: string | null;
      /** @description Subject terms of the insight, comma-separated. */
      terms: string;
      /** @description M/D/YYYY, in UTC. */
      post_date: string;
      /** @description HH:MM:SS, in UTC. */
      post_time: string;
      /** @description Language of the text. */
      text_post_lang: string | null;
      /** @description Type of the posting. */
      text_post_type: string | null;
      /** @description Tagged users. */
      text_post_tagged_users: string[] | null;
      /** @description Hashtags. */
      text_post_tags: string[] | null;
      /** @description Longitude and latitude, such as `-1.5491,53.8008`. */
      geo_coordination: string | null;
      place_type: string | null;
      place_full_name: string | null;
      place_country_code: string | null;
      place_country_name: string | null;
      place_id: string | null;
      share_count: components["schemas"]["Count64"] | null;
      like_count: components["schemas"]["Count64"] | null;
      angry_count: components["schemas"]["Count64"] | null;
      laugh_count: components["schemas"]["Count64"] | null;
      love_count: components["schemas"]["Count64"] | null;
      sad_count: components["schemas"]["Count64"] | null;
      support_count: components["schemas"]["Count64"] | null;
      wow_count: components["schemas"]["Count64"] | null;
      appreciation_count: components["schemas"]["Count64"] | null;
      empathy_count: components["schemas"]["Count64"] | null;
      interest_count: components["schemas"]["Count64"] | null;
      maybe_count: components["schemas"]["Count64"] | null;
      praise_count: components["schemas"]["Count64"] | null;
      digg_count: components["schemas"]["Count64"] | null;
      reaction_total_count: components["schemas"]["Count64"] | null;
      video_play_count: components["schemas"]["Count64"] | null;
      video_view_count: components["schemas"]["Count64"] | null;
      view_count: components["schemas"]["Count64"] | null;
      share_with_comment_count: components["schemas"]["Count64"] | null;
      comment_count: components["schemas"]["Count64"] | null;
      author_id: string | null;
      author_username: string | null;
      author_type: string | null;
      author_name: string | null;
      more_info: components["schemas"]["MoreInfo"] | null;
      /** @description With explain=true: what the present models find in the first 20,000 characters of the text, as of operations with `explain`; offsets are in code points. The rest of the posting is what is stored, which earlier models may have found. */
      analyses?: components["schemas"]["Analysis"][];
    };
    /** @description A line of a request that brings in postings. Fields that an analysis fills are ignored, and unknown ones are refused. */
    NewPosting: {
      /** @description Id on its platform. */
      social_id?: string | null;
      /** @description URL on its platform. */
      social_url?: string | null;
      platform: components["schemas"]["Platform"];
      text_of_post?: string | null;
      /** @description M/D/YYYY, in UTC. */
      post_date: string;
      /** @description HH:MM:SS, in UTC. */
      post_time: string;
      /** @description Language of the text. */
      text_post_lang?: string | null;
      /** @description Type of the posting. */
      text_post_type?: string | null;
      /** @description Tagged users. */
      text_post_tagged_users?: string[] | null;
      /** @description Hashtags. */
      text_post_tags?: string[] | null;
      /** @description Longitude and latitude, such as `-1.5491,53.8008`. */
      geo_coordination?: string | null;
      place_type?: string | null;
      place_full_name?: string | null;
      place_country_code?: string | null;
      place_country_name?: string | null;
      place_id?: string | null;
      share_count?: components["schemas"]["NewCount"];
      like_count?: components["schemas"]["NewCount"];
      angry_count?: components["schemas"]["NewCount"];
      laugh_count?: components["schemas"]["NewCount"];
      love_count?: components["schemas"]["NewCount"];
      sad_count?: components["schemas"]["NewCount"];
      support_count?: components["schemas"]["NewCount"];
      wow_count?: components["schemas"]["NewCount"];
      appreciation_count?: components["schemas"]["NewCount"];
      empathy_count?: components["schemas"]["NewCount"];
      interest_count?: components["schemas"]["NewCount"];
      maybe_count?: components["schemas"]["NewCount"];
      praise_count?: components["schemas"]["NewCount"];
      digg_count?: components["schemas"]["NewCount"];
      reaction_total_count?: components["schemas"]["NewCount"];
      video_play_count?: components["schemas"]["NewCount"];
      video_view_count?: components["schemas"]["NewCount"];
      view_count?: components["schemas"]["NewCount"];
      share_with_comment_count?: components["schemas"]["NewCount"];
      comment_count?: components["schemas"]["NewCount"];
      author_id?: string | null;
      author_username?: string | null;
      author_type?: string | null;
      author_name?: string | null;
      more_info?: components["schemas"]["MoreInfo"] | null;
      /** @description Date and time as one, which also replaces post_date and post_time. */
      posted_at?: string | null;
      /** @description URLs of pictures, videos and sound, for the dimensions visual and audial. */
      media_urls?: string[] | null;
    };
    NewCount: string | number | null;
    PostingsAccepted: {
      /** @description Postings stored for the first time. */
      accepted: number;
      /** @description Postings that were stored already, or that stand in the body repeatedly. */
      duplicates: number;
      /** @description With match=true: postings left out because they do not match the keywords. */
      unmatched?: number;
      /** @description Postings left out because they were erased; absent if there are none. */
      erased?: number;
      /** @description What was done with the file that its owner may not expect, a sentence each: columns that are not used or stand twice, days that could be read in two ways, codes and missing values as they were read, and a last row that is cut. */
      warnings: string[];
      /** @description Rows left out because they are no postings; of JSON Lines, those without text and media, if there are any. */
      skipped?: number;
      /** @description The first 1,000 of these rows. */
      skipped_rows?: components["schemas"]["SkippedRow"][];
      /** @description With validate_only=true: the first 10 postings as they would be stored. */
      first?: components["schemas"]["Posting"][];
      /** @description With validate_only=true: the first 1,000 rows that are right and would be left out, since they do not match or were erased. */
      left_out?: components["schemas"]["LeftOutRow"][];
    };
    SkippedRow: {
      /** @description Its number in the file; the header is row 1. */
      row: number;
      /** @description Why it was left out. */
      message: string;
    };
    LeftOutRow: {
      /** @description Its number in the body; the header of a CSV file is row 1. */
      row: number;
      /** @description Why it is left out. */
      message: string;
    };
    Platforms: {
      platforms: components["schemas"]["PlatformInfo"][];
    };
    PlatformInfo: {
      platform: components["schemas"]["Platform"];
      state: components["schemas"]["PlatformState"];
      mode: components["schemas"]["CollectionMode"];
      /** @description What is missing, and how to set it. */
      missing: string | null;
    };
    /**
     * @description `waiting`: ready for its next poll; `importing`: not configured, but postings were imported; `stalled`: this server does not do what is due.
     * @enum {string}
     */
    PlatformState:
      | "collecting"
      | "waiting"
      | "not_configured"
      | "auth_failed"
      | "budget_spent"
      | "failing"
      | "importing"
      | "stalled";
    /**
     * @description `search`: the query is sent; `follow`: configured sources are read and filtered here; `import`: imports only.
     * @enum {string}
     */
    CollectionMode: "search" | "follow" | "stream" | "import";
    Coverage: {
      platforms: components["schemas"]["PlatformCoverage"][];
    };
    CreatedInsight: {
      /**
       * Format: int64
       * @description Id of the insight.
       */
      id: number;
      /** @description What happened, for a person. */
      notice: string;
      /** @description What in the given keywords is read otherwise than other tools would. */
      warnings: components["schemas"]["QueryWarning"][];
    };
    QueryWarning: {
      /** @description For a person. */
      message: string;
      /** @description Of a part of the keywords, where it begins, in UTF-16 code units; otherwise null. */
      start: number | null;
      /** @description Where that part ends, exclusive. */
      end: number | null;
      /** @description The whole keywords as they are to be written; null if there is no such form. */
      fix: string | null;
    };
    NewInsight: {
      query: components["schemas"]["NewInsightQuery"];
      /** @description What you call it. Lists find it by `q`. */
      name?: string | null;
      /** @description Your notes on it. */
      note?: string | null;
      metadata?: components["schemas"]["NewMetadata"] | null;
    };
    NewInsightQuery: {
      /** @description Words (all must occur), "exact phrase", OR, parentheses, -not, #tag, @name; commas separate subject terms. */
      keywords: string;
      platforms: components["schemas"]["Platform"][];
      dimensions: components["schemas"]["InsightDimension"][];
      /** @description Cities or zip codes; has effect for twitter, youtube-videos and youtube-comments only. */
      location?: string | null;
      /** @description A preview, once, instead of a continuous search. */
      sneak_peek?: boolean | null;
      follow?: components["schemas"]["NewFollow"] | null;
    };
    /**
     * @description What of a posting is analyzed.
     * @enum {string}
     */
    InsightDimension: "textual" | "audial" | "visual";
    /** @description Sources to read in addition to those of the server: URLs of feeds for news, names of subreddits, pages of facebook, and ids of organisations of linkedin. */
    NewFollow: {
      feeds?: string[] | null;
      subreddits?: string[] | null;
      pages?: string[] | null;
      organisations?: string[] | null;
      /** @description Another spelling of `organisations`. */
      organizations?: string[] | null;
    };
    /**
     * @description `completed`: a finished preview; `failed`: a preview none of whose platforms answered.
     * @enum {string}
     */
    InsightStatus: "running" | "paused" | "completed" | "failed";
    /** @enum {string} */
    InsightSort: "created_at" | "name" | "activity" | "postings";
    InsightPage: {
      insights: components["schemas"]["Insight"][];
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    Insight: {
      /**
       * Format: int64
       * @description Id of the insight.
       */
      id: number;
      /** @description What you call it. Absent without one. */
      name?: string;
      /** @description Your notes on it. Absent without any. */
      note?: string;
      metadata?: components["schemas"]["Metadata"];
      created_by: components["schemas"]["CreatedBy"] | null;
      status: components["schemas"]["InsightStatus"];
      query: components["schemas"]["InsightQuery"];
      /** @description The subject terms of the keywords, joined by commas. */
      terms: string;
      /**
       * Format: int64
       * @description Postings stored so far.
       */
      posting_count: number;
      /**
       * Format: int64
       * @description Of these, postings whose analysis is neither done nor given up.
       */
      unanalysed_count: number;
      /** @description When a posting was last stored; null before. */
      last_activity_at: string | null;
      platforms: components["schemas"]["InsightPlatform"][];
      /** @description Why a preview failed. */
      error?: string;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description When a preview ended. */
      finished_at: string | null;
      /** @description Number of the query: 1, and one more with each change of it. */
      version: number;
      /** @description The latest 50 queries up to the present one, oldest first; absent in lists. */
      versions?: components["schemas"]["InsightVersion"][];
    };
    InsightQuery: {
      keywords: string;
      platforms: components["schemas"]["Platform"][];
      dimensions: components["schemas"]["InsightDimension"][];
      location: string | null;
      sneak_peek: boolean;
      follow: components["schemas"]["Follow"] | null;
    };
    Follow: {
      feeds: string[];
      subreddits: string[];
      pages: string[];
      organisations: string[];
    };
    InsightPlatform: {
      platform: components["schemas"]["Platform"];
      state: components["schemas"]["PlatformState"];
      /** @description When the next poll starts; null if none is planned. */
      next_at: string | null;
      /** @description When a poll succeeded last. */
      last_success_at: string | null;
      /** @description What prevents the collection, and what to do. */
      last_error: string | null;
      counts: components["schemas"]["PlatformCounts"];
      /** @description What restricts the collection. */
      warnings: string[];
      /** @description Set while the state is `stalled`. */
      stalled: components["schemas"]["Stalled"] | null;
    };
    PlatformCounts: {
      /**
       * Format: int64
       * @description Requests sent to the platform.
       */
      requests: number;
      /**
       * Format: int64
       * @description Postings received.
       */
      fetched: number;
      /**
       * Format: int64
       * @description Of these, postings that match the keywords.
       */
      matched: number;
      /**
       * Format: int64
       * @description Postings stored for the first time.
       */
      stored: number;
      /**
       * Format: int64
       * @description Postings that were stored already.
       */
      duplicates: number;
      /**
       * Format: int64
       * @description Items that could not be read as postings.
       */
      skipped: number;
    };
    Stalled: {
      /** @description Why this server does not do it, and what to do. */
      reason: string;
      /** @description When it tries again; null if it tries now, or waits for a process that does it. */
      next_try_at: string | null;
    };
    InsightVersion: {
      /** @description 1, and one more with each change of the query. */
      version: number;
      /**
       * Format: date-time
       * @description When it was given. What is posted from then on is collected by it.
       */
      at: string;
      created_by: components["schemas"]["CreatedBy"] | null;
      keywords: string;
      platforms: components["schemas"]["Platform"][];
      location: string | null;
      follow: components["schemas"]["Follow"] | null;
    };
    InsightCheck: {
      /** @description The subject terms. */
      terms: string[];
      parsed: components["schemas"]["ParsedKeywords"];
      platforms: components["schemas"]["PlatformPlan"][];
      /** @description What in the keywords is read otherwise than other tools would, with its place and a fix; and what to know about the search as a whole. */
      warnings: components["schemas"]["QueryWarning"][];
    };
    ParsedKeywords: {
      /** @description How they were understood, for a person. */
      sentence: string;
      /** @description A posting matches if it fulfills one of them. */
      terms: components["schemas"]["ParsedTerm"][];
    };
    ParsedTerm: {
      /** @description As it was written. */
      text: string;
      /** @description How it was understood, for a person. */
      sentence: string;
      expression: components["schemas"]["ParsedExpression"];
    };
    ParsedExpression: {
      kind: components["schemas"]["ExpressionKind"];
      /** @description Without quotes and signs. */
      value?: string;
      parts?: components["schemas"]["ParsedExpression"][];
    };
    /**
     * @description `all`, `any` and `without` concern their `parts`; the others have a `value`. `prefix`: words that begin with it; `part`: too deep for the tree, and written as keywords.
     * @enum {string}
     */
    ExpressionKind: "all" | "any" | "without" | "word" | "phrase" | "prefix" | "tag" | "mention" | "part";
    PlatformPlan: {
      platform: components["schemas"]["Platform"];
      state: components["schemas"]["PlatformState"];
      mode: components["schemas"]["CollectionMode"];
      /** @description The queries as they would be sent, or the sources that would be read. */
      queries: string[];
      /** @description Whether what these find is narrowed here. */
      narrowed_locally: boolean;
      /** @description What a poll costs. */
      cost: string;
      /** @description What restricts the collection. */
      warnings: string[];
    };
    ChangedInsight: {
      /**
       * Format: int64
       * @description Id of the insight.
       */
      id: number;
      /** @description What you call it. Absent without one. */
      name?: string;
      /** @description Your notes on it. Absent without any. */
      note?: string;
      metadata?: components["schemas"]["Metadata"];
      status: components["schemas"]["InsightStatus"];
      query: components["schemas"]["InsightQuery"];
      /** @description The subject terms of the keywords, joined by commas. */
      terms: string;
      /**
       * Format: int64
       * @description Postings stored so far.
       */
      posting_count: number;
      /**
       * Format: int64
       * @description Of these, postings whose analysis is neither done nor given up.
       */
      unanalysed_count: number;
      /** @description When a posting was last stored; null before. */
      last_activity_at: string | null;
      platforms: components["schemas"]["InsightPlatform"][];
      /** @description Why a preview failed. */
      error?: string;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description When a preview ended. */
      finished_at: string | null;
      /** @description Number of the query: 1, and one more with each change of it. */
      version: number;
      /** @description The latest 50 queries up to the present one, oldest first; absent in lists. */
      versions?: components["schemas"]["InsightVersion"][];
      created_by: components["schemas"]["CreatedBy"] | null;
      /** @description What in the given keywords is read otherwise than other tools would. */
      warnings: components["schemas"]["QueryWarning"][];
    };
    InsightChanges: {
      /** @description An empty one removes it; absent or null: as it is. */
      name?: string | null;
      /** @description An empty one removes it; absent or null: as it is. */
      note?: string | null;
      /** @description All of it; an empty one removes it; absent or null: as it is. */
      metadata?: components["schemas"]["NewMetadata"] | null;
      /** @description As in a new insight; absent or null: as it is. */
      keywords?: string | null;
      /** @description All platforms; nothing is collected any more from one that is left out, and what is stored stays; absent or null: as it is. */
      platforms?: components["schemas"]["Platform"][] | null;
      /** @description As in a new insight; an empty one removes it; absent or null: as it is. */
      location?: string | null;
      /** @description All sources, instead of those before; absent or null: as it is. */
      follow?: components["schemas"]["NewFollow"] | null;
      /** @description False makes a preview continuous, also one that has ended; its postings stay. A continuous insight cannot become a preview. */
      sneak_peek?: boolean | null;
    };
    Notice: {
      /** @description What happened, for a person. */
      notice: string;
    };
    /**
     * @description Length of the steps of the series; weeks begin on Mondays.
     * @enum {string}
     */
    SummaryInterval: "hour" | "day" | "week" | "month";
    Summary: {
      /**
       * Format: date-time
       * @description Inclusive.
       */
      start: string;
      /**
       * Format: date-time
       * @description Exclusive.
       */
      end: string;
      interval: components["schemas"]["SummaryInterval"];
      totals: components["schemas"]["PostingCounts"];
      /** @description Every step, also those without postings. */
      series: components["schemas"]["SummaryPoint"][];
      top: components["schemas"]["TopLists"];
      coverage: components["schemas"]["Coverage"];
      /** @description Only with `compare`. */
      share_of_voice?: components["schemas"]["VoiceShare"][];
      spikes: components["schemas"]["SpikeReport"];
      /** @description In which days, weeks and months begin; spikes are those of days in UTC. */
      time_zone: string;
      /** @description The queries of the span, oldest first; the first one may have begun before it. */
      versions: components["schemas"]["InsightVersion"][];
      /** @description Whether the postings were counted for this request, as some filters need it. */
      counted: boolean;
    };
    PostingCounts: {
      /**
       * Format: int64
       * @description Analyzed postings.
       */
      postings: number;
      platforms: components["schemas"]["Breakdown"];
      sentiments: components["schemas"]["Breakdown"];
      polarities: components["schemas"]["Breakdown"];
      intentions: components["schemas"]["Breakdown"];
      spam: components["schemas"]["Breakdown"];
      languages: components["schemas"]["Breakdown"];
      countries: components["schemas"]["Breakdown"];
      types: components["schemas"]["Breakdown"];
      engagement: components["schemas"]["EngagementSum"][];
    };
    Breakdown: {
      /** @description Most frequent first. */
      values: components["schemas"]["ValueCount"][];
      /**
       * Format: int64
       * @description Postings with further, rarer values.
       */
      other: number;
    };
    ValueCount: {
      /** @description Null: the postings without a value. */
      value: string | null;
      /**
       * Format: int64
       * @description Postings.
       */
      count: number;
    };
    EngagementSum: {
      /** @description Such as `like_count`. */
      name: string;
      /** @description A whole number of any size. */
      sum: string;
      /**
       * Format: int64
       * @description Postings that state this count.
       */
      postings: number;
    };
    SummaryPoint: {
      /**
       * Format: date-time
       * @description Inclusive.
       */
      start: string;
      /**
       * Format: date-time
       * @description Exclusive.
       */
      end: string;
      completeness: components["schemas"]["Completeness"];
      /**
       * Format: int64
       * @description Analyzed postings.
       */
      postings: number;
      platforms: components["schemas"]["Breakdown"];
      sentiments: components["schemas"]["Breakdown"];
      polarities: components["schemas"]["Breakdown"];
      intentions: components["schemas"]["Breakdown"];
      spam: components["schemas"]["Breakdown"];
      languages: components["schemas"]["Breakdown"];
      countries: components["schemas"]["Breakdown"];
      types: components["schemas"]["Breakdown"];
      engagement: components["schemas"]["EngagementSum"][];
      /** @description The latest version of the query that began in this step by a change; absent if none did. */
      version?: number;
    };
    TopLists: {
      topics: components["schemas"]["TopValues"];
      hashtags: components["schemas"]["TopValues"];
      authors: components["schemas"]["TopAuthors"];
      labels: components["schemas"]["TopValues"];
      domains: components["schemas"]["TopValues"];
    };
    TopValues: {
      /** @description Most frequent first. */
      values: components["schemas"]["TopValue"][];
      /**
       * Format: int64
       * @description Different values; at least so many if `distinct_error` is not 0.
       */
      distinct: number;
      /**
       * Format: int64
       * @description By how much a count may be too low at most; 0: all counts are exact.
       */
      error: number;
      /**
       * Format: int64
       * @description By how much `distinct` may be too low at most.
       */
      distinct_error: number;
    };
    TopValue: {
      value: string;
      /**
       * Format: int64
       * @description Postings with this value.
       */
      count: number;
      /**
       * Format: double
       * @description Of all postings of the summary.
       */
      share: number;
    };
    TopAuthors: {
      /** @description Most frequent first. */
      values: components["schemas"]["TopAuthor"][];
      /**
       * Format: int64
       * @description Different values; at least so many if `distinct_error` is not 0.
       */
      distinct: number;
      /**
       * Format: int64
       * @description By how much a count may be too low at most; 0: all counts are exact.
       */
      error: number;
      /**
       * Format: int64
       * @description By how much `distinct` may be too low at most.
       */
      distinct_error: number;
    };
    TopAuthor: {
      platform: components["schemas"]["Platform"];
      author_id: string | null;
      author_username: string | null;
      author_name: string | null;
      /**
       * Format: int64
       * @description Postings of this author.
       */
      count: number;
      /**
       * Format: double
       * @description Of all postings of the summary.
       */
      share: number;
    };
    VoiceShare: {
      /**
       * Format: int64
       * @description Id of the insight.
       */
      id: number;
      /** @description Its subject terms. */
      terms: string;
      /**
       * Format: int64
       * @description Its postings.
       */
      postings: number;
      /**
       * Format: double
       * @description Of the postings of all compared insights.
       */
      posting_share: number;
      /**
       * Format: int64
       * @description Different authors of its postings.
       */
      authors: number;
      /**
       * Format: double
       * @description Of the sum of their authors.
       */
      author_share: number;
      /**
       * Format: int64
       * @description By how much `authors` may be too low at most.
       */
      author_error: number;
    };
    SpikeReport: {
      judgements: components["schemas"]["SpikeJudgement"][];
      spikes: components["schemas"]["Spike"][];
    };
    SpikeJudgement: {
      /** @description Null: all platforms together. */
      platform: components["schemas"]["Platform"] | null;
      metric: components["schemas"]["SpikeMetric"];
      status: components["schemas"]["SpikeStatus"];
      /** @description Steps that were judged. */
      judged: number;
      /** @description What is missing, a phrase that follows "It needs". Present if none was judged. */
      needs?: string;
    };
    /**
     * @description `negative_share`: of negative postings in those that are positive, neutral or negative.
     * @enum {string}
     */
    SpikeMetric: "postings" | "negative_share";
    /**
     * @description `not_enough_history`: fewer than 14 days before were collected completely; `incomplete`: no step was collected completely; `filtered`: only filters by platform and days are judged; `query_changed`: as `not_enough_history`, since only steps of one version of the query are compared.
     * @enum {string}
     */
    SpikeStatus: "judged" | "not_enough_history" | "incomplete" | "filtered" | "query_changed";
    Spike: {
      /**
       * Format: date-time
       * @description Inclusive.
       */
      start: string;
      /**
       * Format: date-time
       * @description Exclusive.
       */
      end: string;
      /** @description Null: all platforms together. */
      platform: components["schemas"]["Platform"] | null;
      metric: components["schemas"]["SpikeMetric"];
      /**
       * Format: double
       * @description What is usual at that hour and weekday.
       */
      expected: number;
      /**
       * Format: double
       * @description What there was.
       */
      seen: number;
      /**
       * Format: double
       * @description Distance of the two, in robust standard deviations.
       */
      score: number;
      topics: components["schemas"]["RisenValue"][];
      hashtags: components["schemas"]["RisenValue"][];
      authors: components["schemas"]["RisenAuthor"][];
      domains: components["schemas"]["RisenValue"][];
      /**
       * Format: int64
       * @description Postings that were looked at for reposts, repeated texts and examples.
       */
      examined: number;
      /**
       * Format: int64
       * @description Of these, reposts.
       */
      reposts: number;
      /**
       * Format: int64
       * @description Of these, other ones that repeat a text, apart from links, mentions and case.
       */
      repeated_texts: number;
      examples: components["schemas"]["Posting"][];
    };
    RisenValue: {
      value: string;
      /**
       * Format: int64
       * @description Postings of the spike with it.
       */
      count: number;
      /**
       * Format: double
       * @description Of the postings of the spike.
       */
      share: number;
      /**
       * Format: double
       * @description Of the postings of the week before.
       */
      usual_share: number;
    };
    RisenAuthor: {
      platform: components["schemas"]["Platform"];
      author_id: string | null;
      author_username: string | null;
      author_name: string | null;
      /**
       * Format: int64
       * @description Postings of the spike with it.
       */
      count: number;
      /**
       * Format: double
       * @description Of the postings of the spike.
       */
      share: number;
      /**
       * Format: double
       * @description Of the postings of the week before.
       */
      usual_share: number;
    };
    Health: {
      /** @constant */
      status: "ok";
    };
    Readiness: {
      status: components["schemas"]["ReadinessStatus"];
      parts?: components["schemas"]["MissingParts"];
      dependencies?: components["schemas"]["Dependencies"];
    };
    /** @enum {string} */
    ReadinessStatus: "ready" | "degraded" | "not_ready" | "stopping";
    /** @description Optional parts that are missing, such as the model for speech, by name. The installation is ready without them. */
    MissingParts: {
      [key: string]: components["schemas"]["Dependency"];
    };
    Dependency: {
      /** @description `ready`, or what is wrong in a word. */
      state: string;
    };
    /** @description What is needed to work, by name. */
    Dependencies: {
      [key: string]: components["schemas"]["Dependency"];
    };
    /** @description What this server is, can do and keeps. */
    Server: {
      /** @description Of the product. */
      version: string;
      /** @description What it was built from; null if its settings do not say. */
      revision: string | null;
      /** @description Whether this is the demo, whose postings are invented. */
      demo: boolean;
      limits: components["schemas"]["ServerLimits"];
      analyses: components["schemas"]["ServerAnalysis"][];
      /** @description Their ISO 639-1 codes. */
      languages: string[];
      platforms: components["schemas"]["ServerPlatform"][];
      retention: components["schemas"]["ServerRetention"];
    };
    /** @description What a request, and a company, may ask for at most. */
    ServerLimits: {
      /** @description Size of the body of a new operation, and of an import. */
      body_bytes: number;
      /**
       * Format: int64
       * @description Size of an uploaded file.
       */
      upload_bytes: number;
      /** @description Contents of one operation. */
      contents: number;
      /** @description Code points of one text. */
      text_characters: number;
      /** @description Pixels of a picture, and of a frame of a video. */
      image_pixels: number;
      /** @description Length of sound and video. */
      media_seconds: number;
      /** @description Days of one export. */
      export_range_days: number;
      /** @description Operations of your company that wait or run. Null: no limit. */
      unfinished_operations: number | null;
      /** @description Exports of your company that wait or run. Null: no limit. */
      unfinished_exports: number | null;
      /** @description Requests of one user. Null: no limit. */
      requests_per_minute: number | null;
      /** @description Failed attempts to sign in from one address. Null: no limit. */
      sign_in_attempts_per_minute: number | null;
    };
    ServerAnalysis: {
      /** @description The analysis; or `reading`, `speech` and `ffmpeg`, which files need. */
      type: string;
      /** @description What carries it out, such as `accurate`; null if unknown. */
      engine: string | null;
      /** @description Id of its model; null if unknown, or if there is none. */
      model: string | null;
      /** @description Version of its model. */
      model_version: string | null;
      state: components["schemas"]["AnalysisState"];
      /** @description Why it is not in order. */
      reason: string | null;
      /** @description What the operator of the server can do about it. */
      cure: string | null;
    };
    /**
     * @description `missing`: its results say why; `unknown`: other processes do this work, and none has said how it is, or you may not ask.
     * @enum {string}
     */
    AnalysisState: "ready" | "loading" | "missing" | "unknown";
    ServerPlatform: {
      platform: components["schemas"]["Platform"];
      /** @description As in the list of platforms; null without the product `insight`. */
      state: string | null;
      /** @description What is missing, and how to set it. */
      missing: string | null;
    };
    /** @description How long what belongs to your company is kept. */
    ServerRetention: {
      /** @description After its end, an operation is kept so long. Null: until it is deleted. */
      operations_days: number | null;
      /** @description After it is done, an export is kept so long. Null: until it is deleted. */
      exports_days: number | null;
      /** @description A file that no operation uses is kept so long. */
      unused_files_days: number;
      postings: components["schemas"]["PostingRetention"][];
    };
    PostingRetention: {
      platform: components["schemas"]["Platform"];
      /** @description Since a poll or an import last had it, a posting is kept so long. Null: until it is deleted. */
      days: number | null;
    };
    /** @description What is known of the models that ship with the product. */
    Models: {
      models: components["schemas"]["ModelCard"][];
    };
    ModelCard: {
      /** @description The analysis; `language`, `speech` and `reading` are parts of others. */
      analysis: string;
      /** @description What it is for. */
      use: string;
      /** @description What its models were made of and measured on. */
      data: string;
      /** @description What it gets wrong. */
      known_limits: string;
      engines: components["schemas"]["ModelEngine"][];
    };
    ModelEngine: {
      /** @description Such as `accurate`. */
      engine: string;
      /** @description ISO 639-1 codes; null where language plays no part. */
      languages: string[] | null;
      /** @description Empty where nothing was, or could be, measured. */
      scores: components["schemas"]["ModelScore"][];
    };
    ModelScore: {
      /** @description A share from 0 to 1: of errors, failures and false positives less is better, of the others more. */
      metric: string;
      /** Format: double */
      value: number;
      /** @description Both ends of the 95 % interval; null if none was computed. */
      interval: number[] | null;
      /** @description How many texts, pictures or words it was measured on; null if not known. */
      rows: number | null;
      /** @description What it was measured on. */
      on: string;
    };
    FieldError: {
      /** @description Path of the field, such as `contents[3]` or `user.email`. */
      field: string;
      /** @description What is wrong with it. */
      message: string;
      /** @description Where in the text of the field the mistake stands, in UTF-16 code units. Only of texts in the language of keywords. */
      start?: number;
      /** @description Where it ends; the same as `start` where something is missing. */
      end?: number;
    };
    /**
     * @description The body of every failure.
     * @example {
     *       "error": "contents[3]: give at least one character.",
     *       "code": "invalid_request",
     *       "details": [
     *         {
     *           "field": "contents[3]",
     *           "message": "Give at least one character."
     *         }
     *       ],
     *       "request_id": "4bf2c0a5-6c3e-4b0f-9d3b-2f3f1f6f0a11"
     *     }
     */
    Failure: {
      /** @description One sentence for a person. */
      error: string;
      code: components["schemas"]["ErrorCode"];
      /** @description Every wrong field. */
      details?: components["schemas"]["FieldError"][];
      /** @description The same as in the header X-Request-Id. */
      request_id: string;
    };
    /**
     * @description For machines; docs/errors.md has the cause and the remedy of each.
     * @enum {string}
     */
    ErrorCode:
      | "invalid_request"
      | "conflict"
      | "idempotency_key_reused"
      | "not_found"
      | "route_not_found"
      | "method_not_allowed"
      | "precondition_failed"
      | "too_many_requests"
      | "too_much_in_progress"
      | "too_many_waits"
      | "internal"
      | "not_implemented"
      | "starting"
      | "unavailable"
      | "busy"
      | "overloaded"
      | "queue_unavailable"
      | "service_token_refused"
      | "store_full"
      | "cancelled"
      | "deadline_exceeded"
      | "unauthenticated"
      | "token_expired"
      | "key_expired"
      | "wrong_credentials"
      | "company_needed"
      | "wrong_password"
      | "forbidden"
      | "product_inactive"
      | "admin_needed"
      | "services_only"
      | "read_only_role"
      | "read_only_key"
      | "scope_missing"
      | "no_api_keys"
      | "session_over"
      | "last_admin"
      | "already_exists"
      | "too_many_sign_in_attempts"
      | "malformed_request"
      | "invalid_json"
      | "invalid_utf8"
      | "request_timeout"
      | "body_too_large"
      | "too_large"
      | "too_many_values"
      | "unsupported_media_type"
      | "unsupported_content_encoding"
      | "unsupported_charset"
      | "range_not_satisfiable"
      | "headers_too_large"
      | "operation_not_found"
      | "operation_not_done"
      | "operation_failed"
      | "operation_invalid"
      | "too_many_unfinished_operations"
      | "unsupported_file"
      | "empty_file"
      | "file_missing"
      | "malformed_form"
      | "file_used"
      | "no_picture"
      | "file_too_large"
      | "storage_full"
      | "invalid_query"
      | "invalid_csv"
      | "insight_paused"
      | "insight_ended"
      | "insight_not_found"
      | "posting_not_found"
      | "explain_unavailable"
      | "export_not_found"
      | "export_not_done"
      | "export_failed"
      | "export_revised"
      | "export_files_lost"
      | "too_many_unfinished_exports"
      | "malformed_message"
      | "incomplete_message"
      | "method_not_found"
      | "compression_unsupported";
  };
  responses: {
    /** @description Something in the request is wrong; `details` names every wrong field. */
    Invalid: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The access token or API key is missing, malformed, forged or ended, or, with the code `token_expired` or `key_expired`, was good until its time was over. */
    Unauthenticated: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        /** @description How to authenticate. */
        "WWW-Authenticate"?: string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The product is not active for your company, or your role or API key does not allow this; `error` says what is missing. */
    Forbidden: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description There is no such record, or it belongs to another company. */
    NotFound: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The body did not arrive in time. */
    TooSlow: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The record is in another state; Retry-After says when to look again, if that will change. */
    Conflict: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        "Retry-After": components["headers"]["RetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The record has another tag than `If-Match` names. */
    PreconditionFailed: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The body is too large, or, with the code `too_many_values`, has more than 50000 values. */
    TooLarge: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The body is of another media type or compressed. */
    UnsupportedMediaType: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The range begins beyond the end of the bytes. */
    RangeNotSatisfiable: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        /** @description How many bytes there are. */
        "Content-Range"?: string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description Too many requests, or too much waits to be done. */
    TooMany: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        "Retry-After": components["headers"]["RetryAfter"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The headers are too large: over 16 KiB. */
    HeadersTooLarge: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description Something unforeseen happened on the server. */
    Internal: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description A service, the store or the queue is unavailable. */
    Unavailable: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        "Retry-After": components["headers"]["RetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description A service did not answer in time. */
    Deadline: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        "Retry-After": components["headers"]["RetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description There is no room for the file; nothing of it was kept. */
    StorageFull: {
      headers: {
        "X-Request-Id": components["headers"]["RequestId"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
  };
  parameters: {
    /** @description Id of the record. */
    Id: number;
    /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
    IdempotencyKey: string;
    /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
    IfNoneMatch: string;
    /** @description The ETag of the record as you read it, or several: the request is refused (412) if somebody has changed the record since. What the record counts does not matter, and `*` is every record. */
    IfMatch: string;
    /** @description A range of the bytes, such as `bytes=1000-`. If-Range makes it conditional on the ETag. */
    Range: string;
    /** @description How many entries at most. */
    Limit: number;
    /** @description `next_cursor` of the page before; absent for the first page. No other text is one (400). */
    Cursor: string;
    /** @description Holds the answer until the record has reached its end, or so many seconds have passed. */
    Wait: number;
    /** @description Only those whose metadata has this value for the key that stands in place of `KEY`, such as `metadata.ticket=4711`, exactly. With several, all of them. */
    MetadataEntry: string;
  };
  requestBodies: never;
  headers: {
    /** @description Changes whenever the body does. Absent from a body of megabytes that is not final yet. Of a record that can be changed, the part before the dot changes only with what can be changed, and If-Match compares that part. */
    ETag: string;
    /** @description Names the request in the server's log; yours, when you sent a sane one. */
    RequestId: string;
    /** @description `true` if this is the answer to an earlier request with the same Idempotency-Key; absent otherwise. */
    IdempotentReplayed: "true";
    /** @description Path of the new record. */
    Location: string;
    /** @description Seconds until it is worth asking again. */
    RetryAfter: number;
    /** @description What is left of the quota (`r`) and seconds until it is whole again (`t`). */
    RateLimit: string;
    /** @description The quota (`q`) and its window in seconds (`w`). */
    RateLimitPolicy: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listFiles: {
    parameters: {
      query?: {
        /** @description How many entries at most. */
        limit?: components["parameters"]["Limit"];
        /** @description `next_cursor` of the page before; absent for the first page. No other text is one (400). */
        cursor?: components["parameters"]["Cursor"];
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "files": [
           *         {
           *           "id": 5,
           *           "name": "dancing.mp4",
           *           "type": "mp4",
           *           "size": 1482113,
           *           "width": 1280,
           *           "height": 720,
           *           "duration": 15.04,
           *           "has_sound": true,
           *           "state": "unused",
           *           "created_by": {
           *             "user_id": 3,
           *             "key_id": null,
           *             "name": "Ann Lee"
           *           },
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "expires_at": "2026-02-07T12:00:01.000Z"
           *         }
           *       ],
           *       "next_cursor": null
           *     }
           */
          "application/json": components["schemas"]["FilePage"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  uploadFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["NewFile"];
      };
    };
    responses: {
      /** @description Stored. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1
           *     }
           */
          "application/json": components["schemas"]["CreatedFile"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["TooSlow"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
      504: components["responses"]["Deadline"];
      507: components["responses"]["StorageFull"];
    };
  };
  getFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 5,
           *       "name": "dancing.mp4",
           *       "type": "mp4",
           *       "size": 1482113,
           *       "width": 1280,
           *       "height": 720,
           *       "duration": 15.04,
           *       "has_sound": true,
           *       "state": "unused",
           *       "created_by": {
           *         "user_id": 3,
           *         "key_id": null,
           *         "name": "Ann Lee"
           *       },
           *       "created_at": "2026-01-31T12:00:00.000Z",
           *       "expires_at": "2026-02-07T12:00:01.000Z"
           *     }
           */
          "application/json": components["schemas"]["StoredFile"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  deleteFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  readFileContent: {
    parameters: {
      query?: {
        width?: components["schemas"]["PreviewWidth"];
      };
      header?: {
        /** @description A range of the bytes, such as `bytes=1000-`. If-Range makes it conditional on the ETag. */
        Range?: components["parameters"]["Range"];
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file, or a small picture. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          /** @description `inline`, with the name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content: {
          "image/png": Blob;
          "image/jpeg": Blob;
          "audio/mpeg": Blob;
          "video/mp4": Blob;
          "image/webp": Blob;
        };
      };
      /** @description The range that was asked for. */
      206: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          /** @description The bytes of a file never change. */
          ETag?: string;
          /** @description `inline`, with the name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          /** @description Which bytes of how many. */
          "Content-Range"?: string;
          [name: string]: unknown;
        };
        content: {
          "image/png": Blob;
          "image/jpeg": Blob;
          "audio/mpeg": Blob;
          "video/mp4": Blob;
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          /** @description `inline`, with the name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      416: components["responses"]["RangeNotSatisfiable"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  createFileLink: {
    parameters: {
      query?: never;
      header?: {
        /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The link. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "url": "https://hourglass.example.com/api/v2/products/api/operations/upload/links/5-1-1769861100.c2lnbmF0dXJl",
           *       "expires_at": "2026-01-31T12:05:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["FileLink"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  readLinkedFile: {
    parameters: {
      query?: {
        width?: components["schemas"]["PreviewWidth"];
      };
      header?: {
        /** @description A range of the bytes, such as `bytes=1000-`. If-Range makes it conditional on the ETag. */
        Range?: components["parameters"]["Range"];
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description The end of the link. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file, or a small picture. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          /** @description `inline`, with the name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content: {
          "image/png": Blob;
          "image/jpeg": Blob;
          "audio/mpeg": Blob;
          "video/mp4": Blob;
          "image/webp": Blob;
        };
      };
      /** @description The range that was asked for. */
      206: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          /** @description The bytes of a file never change. */
          ETag?: string;
          /** @description `inline`, with the name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          /** @description Which bytes of how many. */
          "Content-Range"?: string;
          [name: string]: unknown;
        };
        content: {
          "image/png": Blob;
          "image/jpeg": Blob;
          "audio/mpeg": Blob;
          "video/mp4": Blob;
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          /** @description `inline`, with the name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      404: components["responses"]["NotFound"];
      416: components["responses"]["RangeNotSatisfiable"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getOperation: {
    parameters: {
      query?: {
        /** @description Holds the answer until the record has reached its end, or so many seconds have passed. */
        wait?: components["parameters"]["Wait"];
        /** @description `false` leaves `data` null also in an operation that is done, and of a large one `query.contents` empty. Read its contents in pages instead. */
        data?: boolean;
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The operation; Retry-After while it is not finished. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          "Retry-After": components["headers"]["RetryAfter"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Operation"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          "Retry-After": components["headers"]["RetryAfter"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
      504: components["responses"]["Deadline"];
    };
  };
  deleteOperation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  listOperationContents: {
    parameters: {
      query?: {
        /** @description How many entries at most. */
        limit?: components["parameters"]["Limit"];
        /** @description `next_cursor` of the page before; absent for the first page. No other text is one (400). */
        cursor?: components["parameters"]["Cursor"];
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "contents": [
           *         {
           *           "index": 0,
           *           "type": "text",
           *           "content": "I love the new museum in Lisbon!",
           *           "dimensions": [
           *             "textual"
           *           ],
           *           "analysis_type": [
           *             "sentiment-simple"
           *           ],
           *           "analysis_types": [
           *             "sentiment-simple"
           *           ],
           *           "analyses": [
           *             {
           *               "source": "content",
           *               "type": "sentiment-simple",
           *               "dimension": "textual",
           *               "group_index": null,
           *               "data": {
           *                 "value": "positive",
           *                 "prob": 0.9899
           *               },
           *               "model": {
           *                 "id": "sentiment-simple-encoder",
           *                 "version": "1"
           *               },
           *               "language": "en",
           *               "supported": true
           *             }
           *           ]
           *         }
           *       ],
           *       "next_cursor": null
           *     }
           */
          "application/json": components["schemas"]["OperationContentPage"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  listOperations: {
    parameters: {
      query?: {
        /** @description How many entries at most. */
        limit?: components["parameters"]["Limit"];
        /** @description `next_cursor` of the page before; absent for the first page. No other text is one (400). */
        cursor?: components["parameters"]["Cursor"];
        /** @description Only those in this state. */
        status?: components["schemas"]["OperationStatus"];
        /** @description Only those of this type. */
        type?: components["schemas"]["OperationType"];
        /** @description Only those with one of these analyses; repeat it or separate by commas. */
        analysis?: components["schemas"]["AnalysisType"][];
        /** @description Only those accepted at this moment or later; of a date its first moment in UTC. */
        from?: string | unknown | unknown;
        /** @description Only those accepted before this moment; of a date its first moment in UTC. */
        to?: string | unknown | unknown;
        /** @description Only those with this text in their name or first content, in any case and with any accents. */
        q?: string;
        /** @description Only those whose metadata has this value for the key that stands in place of `KEY`, such as `metadata.ticket=4711`, exactly. With several, all of them. */
        "metadata.KEY"?: components["parameters"]["MetadataEntry"];
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "operations": [
           *         {
           *           "id": 4,
           *           "status": "done",
           *           "query": {
           *             "type": "text",
           *             "analyses": [
           *               "sentiment-simple"
           *             ],
           *             "contents_groups": null
           *           },
           *           "progress": {
           *             "done": 1,
           *             "total": 1
           *           },
           *           "failed_contents": 0,
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "finished_at": "2026-01-31T12:00:00.080Z",
           *           "name": "Museum, January",
           *           "metadata": {
           *             "campaign": "winter",
           *             "ticket": "4711"
           *           },
           *           "created_by": {
           *             "user_id": 1,
           *             "key_id": null,
           *             "name": "admin@example.com"
           *           },
           *           "preview": "I love the new museum in Lisbon!"
           *         }
           *       ],
           *       "next_cursor": null
           *     }
           */
          "application/json": components["schemas"]["OperationPage"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  createOperation: {
    parameters: {
      query?: never;
      header?: {
        /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description At most 1 bytes. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewOperation"];
      };
    };
    responses: {
      /** @description Accepted: it will be carried out. Read it by its id. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1
           *     }
           */
          "application/json": components["schemas"]["CreatedOperation"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["TooSlow"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  signIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 65536 bytes. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "user": {
         *         "email": "admin@example.com",
         *         "password": "correct horse battery staple"
         *       }
         *     }
         */
        "application/json": components["schemas"]["SignIn"];
      };
    };
    responses: {
      /** @description You are signed in. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          /** @description `Bearer` and the access token. */
          Authorization?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 3,
           *       "email": "ann@example.com",
           *       "first_name": "Ann",
           *       "last_name": "Lee",
           *       "company": {
           *         "id": 1,
           *         "name": "Acme",
           *         "products": [
           *           {
           *             "uid": "api",
           *             "active": true
           *           },
           *           {
           *             "uid": "insight",
           *             "active": true
           *           }
           *         ]
           *       }
           *     }
           */
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      408: components["responses"]["TooSlow"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  signOut: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description You are signed out. */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getSigningKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The keys. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "keys": [
           *         {
           *           "kty": "EC",
           *           "crv": "P-256",
           *           "x": "I4D-JX8qGa1-4Vgk-HPGzr68xYfXQZZeMvGeTUjI8rU",
           *           "y": "AzNzYL27YRGlbu6pZGFC9tBXpGpym9gonkYPXa7pjmQ",
           *           "kid": "20260131120000000-38fe5970",
           *           "alg": "ES256",
           *           "use": "sig"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["KeySet"];
        };
      };
      400: components["responses"]["Invalid"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getMe: {
    parameters: {
      query?: never;
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description You. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1,
           *       "email": "admin@example.com",
           *       "first_name": "Ann",
           *       "last_name": "Lee",
           *       "company": {
           *         "id": 1,
           *         "name": "Example",
           *         "products": [
           *           {
           *             "uid": "api",
           *             "active": true
           *           },
           *           {
           *             "uid": "insight",
           *             "active": true
           *           }
           *         ]
           *       },
           *       "role": "admin",
           *       "expires_at": "2026-02-01T12:00:00.000Z",
           *       "key": null
           *     }
           */
          "application/json": components["schemas"]["Me"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  renewToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Renewed. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          /** @description `Bearer` and the access token. */
          Authorization?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "expires_at": "2026-02-01T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["RenewedToken"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  changePassword: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 262144 bytes. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "current_password": "the passphrase so far",
         *       "password": "another long passphrase"
         *     }
         */
        "application/json": components["schemas"]["NewPassword"];
      };
    };
    responses: {
      /** @description It is changed. */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["TooSlow"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        /** @description How many entries at most. */
        limit?: components["parameters"]["Limit"];
        /** @description `next_cursor` of the page before; absent for the first page. No other text is one (400). */
        cursor?: components["parameters"]["Cursor"];
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "keys": [
           *         {
           *           "id": 3,
           *           "name": "Dashboard",
           *           "scopes": [
           *             "insights",
           *             "exports"
           *           ],
           *           "read_only": true,
           *           "prefix": "hg_4TqZ9xWd",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "expires_at": null,
           *           "last_used_at": "2026-01-31T12:05:00.000Z",
           *           "created_by": {
           *             "user_id": 3,
           *             "key_id": null,
           *             "name": "Ann Lee"
           *           }
           *         }
           *       ],
           *       "next_cursor": null
           *     }
           */
          "application/json": components["schemas"]["ApiKeyPage"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  createApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description At most 262144 bytes. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Dashboard",
         *       "scopes": [
         *         "insights",
         *         "exports"
         *       ],
         *       "read_only": true,
         *       "expires_at": null
         *     }
         */
        "application/json": components["schemas"]["NewApiKey"];
      };
    };
    responses: {
      /** @description It is made. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 3,
           *       "name": "Dashboard",
           *       "scopes": [
           *         "insights",
           *         "exports"
           *       ],
           *       "read_only": true,
           *       "prefix": "hg_4TqZ9xWd",
           *       "created_at": "2026-01-31T12:00:00.000Z",
           *       "expires_at": null,
           *       "last_used_at": null,
           *       "created_by": {
           *         "user_id": 3,
           *         "key_id": null,
           *         "name": "Ann Lee"
           *       },
           *       "key": "hg_4TqZ9xWd7cMnB2vKs8LpRf3hJt6GyQeA1uD0zX5B"
           *     }
           */
          "application/json": components["schemas"]["CreatedApiKey"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["TooSlow"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  deleteApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  listUsers: {
    parameters: {
      query?: {
        /** @description How many entries at most. */
        limit?: components["parameters"]["Limit"];
        /** @description `next_cursor` of the page before; absent for the first page. No other text is one (400). */
        cursor?: components["parameters"]["Cursor"];
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "users": [
           *         {
           *           "id": 7,
           *           "email": "bob@example.com",
           *           "first_name": "Bob",
           *           "last_name": "Lee",
           *           "role": "member",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "active": true
           *         }
           *       ],
           *       "next_cursor": null
           *     }
           */
          "application/json": components["schemas"]["UserPage"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  createUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description At most 262144 bytes. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "bob@example.com",
         *       "first_name": "Bob",
         *       "last_name": "Lee",
         *       "role": "member"
         *     }
         */
        "application/json": components["schemas"]["NewUser"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 7,
           *       "email": "bob@example.com",
           *       "first_name": "Bob",
           *       "last_name": "Lee",
           *       "role": "member",
           *       "created_at": "2026-01-31T12:00:00.000Z",
           *       "active": true,
           *       "password": "k7m2p-x3q9d-fh5tz-w8rnc-e4jus-b6gva"
           *     }
           */
          "application/json": components["schemas"]["CreatedUser"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["TooSlow"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 7,
           *       "email": "bob@example.com",
           *       "first_name": "Bob",
           *       "last_name": "Lee",
           *       "role": "member",
           *       "created_at": "2026-01-31T12:00:00.000Z",
           *       "active": true
           *     }
           */
          "application/json": components["schemas"]["OneUser"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  deleteUser: {
    parameters: {
      query?: {
        /** @description `true`: you take over the API keys of a user who leaves, and they do not end. */
        keep_keys?: boolean;
      };
      header?: {
        /** @description The ETag of the record as you read it, or several: the request is refused (412) if somebody has changed the record since. What the record counts does not matter, and `*` is every record. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user is gone. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "keys_ended": [
           *         {
           *           "id": 3,
           *           "name": "Dashboard",
           *           "prefix": "hg_4TqZ9xWd"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["DeletedUser"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["Conflict"];
      412: components["responses"]["PreconditionFailed"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  updateUser: {
    parameters: {
      query?: {
        /** @description `true`: you take over the API keys of a user who leaves, and they do not end. */
        keep_keys?: boolean;
      };
      header?: {
        /** @description The ETag of the record as you read it, or several: the request is refused (412) if somebody has changed the record since. What the record counts does not matter, and `*` is every record. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    /** @description At most 262144 bytes. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "active": false
         *     }
         */
        "application/json": components["schemas"]["UserChange"];
      };
    };
    responses: {
      /** @description The changed record. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 7,
           *       "email": "bob@example.com",
           *       "first_name": "Bob",
           *       "last_name": "Lee",
           *       "role": "member",
           *       "created_at": "2026-01-31T12:00:00.000Z",
           *       "active": false,
           *       "keys_ended": [
           *         {
           *           "id": 3,
           *           "name": "Dashboard",
           *           "prefix": "hg_4TqZ9xWd"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["ChangedUser"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["TooSlow"];
      409: components["responses"]["Conflict"];
      412: components["responses"]["PreconditionFailed"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  listAuditEvents: {
    parameters: {
      query?: {
        /** @description How many entries at most. */
        limit?: components["parameters"]["Limit"];
        /** @description `next_cursor` of the page before; absent for the first page. No other text is one (400). */
        cursor?: components["parameters"]["Cursor"];
        /** @description Only what is called so. */
        action?: string[];
        /** @description Only what this user did, with their API keys too. */
        user_id?: number;
        /** @description Only what was done at this moment or later; of a date its first moment in UTC. */
        from?: string | unknown | unknown;
        /** @description Only what was done before; of a date its first moment in UTC. */
        to?: string | unknown | unknown;
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "events": [
           *         {
           *           "id": 12,
           *           "at": "2026-01-31T12:00:00.000Z",
           *           "action": "user.update",
           *           "outcome": "done",
           *           "user_id": 1,
           *           "email": "admin@example.com",
           *           "key_id": null,
           *           "record_id": 7,
           *           "record_name": "bob@example.com",
           *           "request_id": "0b7a3f5e-6f0c-4c1f-9a53-0d0a6d6b3c11",
           *           "client_address": "192.0.2.7",
           *           "changes": {
           *             "role": {
           *               "from": "member",
           *               "to": "viewer"
           *             }
           *           }
           *         }
           *       ],
           *       "next_cursor": null
           *     }
           */
          "application/json": components["schemas"]["AuditPage"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  listExports: {
    parameters: {
      query?: {
        /** @description How many entries at most. */
        limit?: components["parameters"]["Limit"];
        /** @description `next_cursor` of the page before; absent for the first page. No other text is one (400). */
        cursor?: components["parameters"]["Cursor"];
        /** @description Only those whose metadata has this value for the key that stands in place of `KEY`, such as `metadata.ticket=4711`, exactly. With several, all of them. */
        "metadata.KEY"?: components["parameters"]["MetadataEntry"];
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "exports": [
           *         {
           *           "id": 7,
           *           "status": "done",
           *           "query": {
           *             "insight_search_ids": [
           *               12
           *             ],
           *             "start_date": "2026-01-01",
           *             "end_date": "2026-02-01",
           *             "filter": {
           *               "language": [
           *                 "en"
           *               ]
           *             }
           *           },
           *           "progress": {
           *             "done": 41,
           *             "total": 41,
           *             "analysed": 41,
           *             "rendered": 41
           *           },
           *           "rows": 41,
           *           "files": [
           *             {
           *               "format": "json",
           *               "size": 98304
           *             },
           *             {
           *               "format": "csv",
           *               "size": 40960
           *             }
           *           ],
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "created_by": {
           *             "user_id": 3,
           *             "key_id": null,
           *             "name": "Ann Lee"
           *           },
           *           "finished_at": "2026-01-31T12:00:02.000Z",
           *           "expires_at": "2026-03-02T12:00:02.000Z",
           *           "revised_at": null
           *         }
           *       ],
           *       "next_cursor": null
           *     }
           */
          "application/json": components["schemas"]["ExportPage"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  createExport: {
    parameters: {
      query?: never;
      header?: {
        /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description At most 65536 bytes. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "insight_search_ids": [
         *         1
         *       ],
         *       "start_date": "2026-01-01",
         *       "end_date": "2026-02-01"
         *     }
         */
        "application/json": components["schemas"]["NewExport"];
      };
    };
    responses: {
      /** @description Accepted. Read it by its id. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1
           *     }
           */
          "application/json": components["schemas"]["CreatedExport"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["TooSlow"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  downloadLinkedExport: {
    parameters: {
      query?: {
        /** @description Only these columns, in this order; separate them by commas. */
        columns?: components["schemas"]["ExportedKey"][];
        /** @description Which postings are given by their ids only. */
        ids_only?: components["schemas"]["IdsOnly"];
        /** @description CSV only: what separates the cells. */
        delimiter?: components["schemas"]["CsvDelimiter"];
        /** @description CSV only: whether a byte order mark comes first, for Excel. */
        bom?: boolean;
      };
      header?: {
        /** @description A range of the bytes, such as `bytes=1000-`. If-Range makes it conditional on the ETag. */
        Range?: components["parameters"]["Range"];
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description The end of the link. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "insight_search_id": "12",
           *         "social_id": "t3_1abcde",
           *         "social_url": "https://www.reddit.com/r/lisbon/comments/1abcde/",
           *         "platform": "reddit",
           *         "sentiments": "joy",
           *         "intentions": "valuation",
           *         "topic_1": "Lisbon",
           *         "topic_2": "new museum",
           *         "topic_3": null,
           *         "topic_4": null,
           *         "topic_5": null,
           *         "topic_6": null,
           *         "topic_7": null,
           *         "topic_8": null,
           *         "visual_detection_analyses": null,
           *         "text_of_post": "I love the new museum in Lisbon!",
           *         "terms": "museum",
           *         "post_date": "1/31/2026",
           *         "post_time": "11:40:00",
           *         "text_post_lang": "en",
           *         "text_post_type": "post",
           *         "text_post_tagged_users": null,
           *         "text_post_tags": [
           *           "museum"
           *         ],
           *         "geo_coordination": null,
           *         "place_type": null,
           *         "place_full_name": null,
           *         "place_country_code": null,
           *         "place_country_name": null,
           *         "place_id": null,
           *         "share_count": null,
           *         "like_count": "7",
           *         "angry_count": null,
           *         "laugh_count": null,
           *         "love_count": null,
           *         "sad_count": null,
           *         "support_count": null,
           *         "wow_count": null,
           *         "appreciation_count": null,
           *         "empathy_count": null,
           *         "interest_count": null,
           *         "maybe_count": null,
           *         "praise_count": null,
           *         "digg_count": null,
           *         "reaction_total_count": null,
           *         "video_play_count": null,
           *         "video_view_count": null,
           *         "view_count": null,
           *         "share_with_comment_count": null,
           *         "comment_count": "2",
           *         "author_id": "t2_1",
           *         "author_username": "ada_example",
           *         "author_type": null,
           *         "author_name": null,
           *         "more_info": {
           *           "key": "reddit-Ck3bVY0z0PqhG8mS0S5n2w",
           *           "sentiment_simple": {
           *             "value": "positive",
           *             "prob": 0.9899
           *           },
           *           "emotion": {
           *             "value": "joy",
           *             "prob": 0.7134
           *           },
           *           "intention_prob": 0.8868,
           *           "spam": {
           *             "value": "ham",
           *             "prob": 0.9997
           *           }
           *         }
           *       }
           *     ]
           */
          "application/json": components["schemas"]["Posting"][];
          "text/csv": string;
          "application/x-ndjson": string;
          "application/vnd.apache.parquet": Blob;
        };
      };
      /** @description The range that was asked for. */
      206: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          /** @description Other bytes have another one. */
          ETag?: string;
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          /** @description Which bytes of how many. */
          "Content-Range"?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": string;
          "text/csv": string;
          "application/x-ndjson": string;
          "application/vnd.apache.parquet": Blob;
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["Conflict"];
      416: components["responses"]["RangeNotSatisfiable"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getExport: {
    parameters: {
      query?: {
        /** @description Holds the answer until the record has reached its end, or so many seconds have passed. */
        wait?: components["parameters"]["Wait"];
        /** @description Only these columns, in this order; separate them by commas. */
        columns?: components["schemas"]["ExportedKey"][];
        /** @description Which postings are given by their ids only. */
        ids_only?: components["schemas"]["IdsOnly"];
        /** @description CSV only: what separates the cells. */
        delimiter?: components["schemas"]["CsvDelimiter"];
        /** @description CSV only: whether a byte order mark comes first, for Excel. */
        bom?: boolean;
      };
      header?: {
        /** @description A range of the bytes, such as `bytes=1000-`. If-Range makes it conditional on the ETag. */
        Range?: components["parameters"]["Range"];
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The export; Retry-After while it is not finished. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          "Retry-After": components["headers"]["RetryAfter"];
          ETag: components["headers"]["ETag"];
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 7,
           *       "status": "done",
           *       "query": {
           *         "insight_search_ids": [
           *           12
           *         ],
           *         "start_date": "2026-01-01",
           *         "end_date": "2026-02-01",
           *         "filter": {
           *           "language": [
           *             "en"
           *           ]
           *         }
           *       },
           *       "progress": {
           *         "done": 1,
           *         "total": 1,
           *         "analysed": 1,
           *         "rendered": 1
           *       },
           *       "rows": 1,
           *       "files": [
           *         {
           *           "format": "json",
           *           "size": 98304
           *         },
           *         {
           *           "format": "csv",
           *           "size": 40960
           *         }
           *       ],
           *       "created_at": "2026-01-31T12:00:00.000Z",
           *       "created_by": {
           *         "user_id": 3,
           *         "key_id": null,
           *         "name": "Ann Lee"
           *       },
           *       "finished_at": "2026-01-31T12:00:02.000Z",
           *       "expires_at": "2026-03-02T12:00:02.000Z",
           *       "revised_at": null,
           *       "coverage": [
           *         {
           *           "insight_search_id": 12,
           *           "platforms": [
           *             {
           *               "platform": "news",
           *               "spans": [
           *                 {
           *                   "start": "2026-01-31T00:00:00.000Z",
           *                   "end": "2026-01-31T11:50:00.000Z",
           *                   "completeness": "unknown",
           *                   "reasons": [
           *                     "before_window"
           *                   ]
           *                 },
           *                 {
           *                   "start": "2026-01-31T11:50:00.000Z",
           *                   "end": "2026-02-01T00:00:00.000Z",
           *                   "completeness": "complete",
           *                   "reasons": []
           *                 }
           *               ]
           *             }
           *           ]
           *         }
           *       ],
           *       "data": [
           *         {
           *           "insight_search_id": "12",
           *           "social_id": "t3_1abcde",
           *           "social_url": "https://www.reddit.com/r/lisbon/comments/1abcde/",
           *           "platform": "reddit",
           *           "sentiments": "joy",
           *           "intentions": "valuation",
           *           "topic_1": "Lisbon",
           *           "topic_2": "new museum",
           *           "topic_3": null,
           *           "topic_4": null,
           *           "topic_5": null,
           *           "topic_6": null,
           *           "topic_7": null,
           *           "topic_8": null,
           *           "visual_detection_analyses": null,
           *           "text_of_post": "I love the new museum in Lisbon!",
           *           "terms": "museum",
           *           "post_date": "1/31/2026",
           *           "post_time": "11:40:00",
           *           "text_post_lang": "en",
           *           "text_post_type": "post",
           *           "text_post_tagged_users": null,
           *           "text_post_tags": [
           *             "museum"
           *           ],
           *           "geo_coordination": null,
           *           "place_type": null,
           *           "place_full_name": null,
           *           "place_country_code": null,
           *           "place_country_name": null,
           *           "place_id": null,
           *           "share_count": null,
           *           "like_count": "7",
           *           "angry_count": null,
           *           "laugh_count": null,
           *           "love_count": null,
           *           "sad_count": null,
           *           "support_count": null,
           *           "wow_count": null,
           *           "appreciation_count": null,
           *           "empathy_count": null,
           *           "interest_count": null,
           *           "maybe_count": null,
           *           "praise_count": null,
           *           "digg_count": null,
           *           "reaction_total_count": null,
           *           "video_play_count": null,
           *           "video_view_count": null,
           *           "view_count": null,
           *           "share_with_comment_count": null,
           *           "comment_count": "2",
           *           "author_id": "t2_1",
           *           "author_username": "ada_example",
           *           "author_type": null,
           *           "author_name": null,
           *           "more_info": {
           *             "key": "reddit-Ck3bVY0z0PqhG8mS0S5n2w",
           *             "sentiment_simple": {
           *               "value": "positive",
           *               "prob": 0.9899
           *             },
           *             "emotion": {
           *               "value": "joy",
           *               "prob": 0.7134
           *             },
           *             "intention_prob": 0.8868,
           *             "spam": {
           *               "value": "ham",
           *               "prob": 0.9997
           *             }
           *           }
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Export"];
          "text/csv": string;
          "application/x-ndjson": string;
          "application/vnd.apache.parquet": Blob;
        };
      };
      /** @description The range that was asked for. */
      206: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          /** @description Other bytes have another one. */
          ETag?: string;
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          /** @description Which bytes of how many. */
          "Content-Range"?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": string;
          "text/csv": string;
          "application/x-ndjson": string;
          "application/vnd.apache.parquet": Blob;
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          "Retry-After": components["headers"]["RetryAfter"];
          ETag: components["headers"]["ETag"];
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["Conflict"];
      416: components["responses"]["RangeNotSatisfiable"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
      504: components["responses"]["Deadline"];
    };
  };
  deleteExport: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  downloadExport: {
    parameters: {
      query?: {
        /** @description Default: what `Accept` prefers. */
        format?: components["schemas"]["ExportFormat"];
        /** @description Only these columns, in this order; separate them by commas. */
        columns?: components["schemas"]["ExportedKey"][];
        /** @description Which postings are given by their ids only. */
        ids_only?: components["schemas"]["IdsOnly"];
        /** @description CSV only: what separates the cells. */
        delimiter?: components["schemas"]["CsvDelimiter"];
        /** @description CSV only: whether a byte order mark comes first, for Excel. */
        bom?: boolean;
      };
      header?: {
        /** @description A range of the bytes, such as `bytes=1000-`. If-Range makes it conditional on the ETag. */
        Range?: components["parameters"]["Range"];
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "insight_search_id": "12",
           *         "social_id": "t3_1abcde",
           *         "social_url": "https://www.reddit.com/r/lisbon/comments/1abcde/",
           *         "platform": "reddit",
           *         "sentiments": "joy",
           *         "intentions": "valuation",
           *         "topic_1": "Lisbon",
           *         "topic_2": "new museum",
           *         "topic_3": null,
           *         "topic_4": null,
           *         "topic_5": null,
           *         "topic_6": null,
           *         "topic_7": null,
           *         "topic_8": null,
           *         "visual_detection_analyses": null,
           *         "text_of_post": "I love the new museum in Lisbon!",
           *         "terms": "museum",
           *         "post_date": "1/31/2026",
           *         "post_time": "11:40:00",
           *         "text_post_lang": "en",
           *         "text_post_type": "post",
           *         "text_post_tagged_users": null,
           *         "text_post_tags": [
           *           "museum"
           *         ],
           *         "geo_coordination": null,
           *         "place_type": null,
           *         "place_full_name": null,
           *         "place_country_code": null,
           *         "place_country_name": null,
           *         "place_id": null,
           *         "share_count": null,
           *         "like_count": "7",
           *         "angry_count": null,
           *         "laugh_count": null,
           *         "love_count": null,
           *         "sad_count": null,
           *         "support_count": null,
           *         "wow_count": null,
           *         "appreciation_count": null,
           *         "empathy_count": null,
           *         "interest_count": null,
           *         "maybe_count": null,
           *         "praise_count": null,
           *         "digg_count": null,
           *         "reaction_total_count": null,
           *         "video_play_count": null,
           *         "video_view_count": null,
           *         "view_count": null,
           *         "share_with_comment_count": null,
           *         "comment_count": "2",
           *         "author_id": "t2_1",
           *         "author_username": "ada_example",
           *         "author_type": null,
           *         "author_name": null,
           *         "more_info": {
           *           "key": "reddit-Ck3bVY0z0PqhG8mS0S5n2w",
           *           "sentiment_simple": {
           *             "value": "positive",
           *             "prob": 0.9899
           *           },
           *           "emotion": {
           *             "value": "joy",
           *             "prob": 0.7134
           *           },
           *           "intention_prob": 0.8868,
           *           "spam": {
           *             "value": "ham",
           *             "prob": 0.9997
           *           }
           *         }
           *       }
           *     ]
           */
          "application/json": components["schemas"]["Posting"][];
          "text/csv": string;
          "application/x-ndjson": string;
          "application/vnd.apache.parquet": Blob;
        };
      };
      /** @description The range that was asked for. */
      206: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          /** @description Other bytes have another one. */
          ETag?: string;
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          /** @description Which bytes of how many. */
          "Content-Range"?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": string;
          "text/csv": string;
          "application/x-ndjson": string;
          "application/vnd.apache.parquet": Blob;
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["Conflict"];
      416: components["responses"]["RangeNotSatisfiable"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  createExportLink: {
    parameters: {
      query?: never;
      header?: {
        /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    /** @description At most 65536 bytes. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "format": "csv"
         *     }
         */
        "application/json": components["schemas"]["NewExportLink"];
      };
    };
    responses: {
      /** @description The link. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "url": "https://hourglass.example.com/api/v2/products/insight/exports/links/1-2-1769936700.c2lnbmF0dXJl",
           *       "expires_at": "2026-02-01T09:05:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ExportLink"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["TooSlow"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  createExportByOtherPath: {
    parameters: {
      query?: never;
      header?: {
        /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description At most 65536 bytes. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "insight_search_ids": [
         *         1
         *       ],
         *       "start_date": "2026-01-01",
         *       "end_date": "2026-02-01"
         *     }
         */
        "application/json": components["schemas"]["NewExport"];
      };
    };
    responses: {
      /** @description Accepted. Read it by its id. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1
           *     }
           */
          "application/json": components["schemas"]["CreatedExport"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["TooSlow"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getExportByOtherPath: {
    parameters: {
      query?: {
        /** @description Holds the answer until the record has reached its end, or so many seconds have passed. */
        wait?: components["parameters"]["Wait"];
        /** @description Only these columns, in this order; separate them by commas. */
        columns?: components["schemas"]["ExportedKey"][];
        /** @description Which postings are given by their ids only. */
        ids_only?: components["schemas"]["IdsOnly"];
        /** @description CSV only: what separates the cells. */
        delimiter?: components["schemas"]["CsvDelimiter"];
        /** @description CSV only: whether a byte order mark comes first, for Excel. */
        bom?: boolean;
      };
      header?: {
        /** @description A range of the bytes, such as `bytes=1000-`. If-Range makes it conditional on the ETag. */
        Range?: components["parameters"]["Range"];
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The export; Retry-After while it is not finished. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          "Retry-After": components["headers"]["RetryAfter"];
          ETag: components["headers"]["ETag"];
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 7,
           *       "status": "done",
           *       "query": {
           *         "insight_search_ids": [
           *           12
           *         ],
           *         "start_date": "2026-01-01",
           *         "end_date": "2026-02-01",
           *         "filter": {
           *           "language": [
           *             "en"
           *           ]
           *         }
           *       },
           *       "progress": {
           *         "done": 1,
           *         "total": 1,
           *         "analysed": 1,
           *         "rendered": 1
           *       },
           *       "rows": 1,
           *       "files": [
           *         {
           *           "format": "json",
           *           "size": 98304
           *         },
           *         {
           *           "format": "csv",
           *           "size": 40960
           *         }
           *       ],
           *       "created_at": "2026-01-31T12:00:00.000Z",
           *       "created_by": {
           *         "user_id": 3,
           *         "key_id": null,
           *         "name": "Ann Lee"
           *       },
           *       "finished_at": "2026-01-31T12:00:02.000Z",
           *       "expires_at": "2026-03-02T12:00:02.000Z",
           *       "revised_at": null,
           *       "coverage": [
           *         {
           *           "insight_search_id": 12,
           *           "platforms": [
           *             {
           *               "platform": "news",
           *               "spans": [
           *                 {
           *                   "start": "2026-01-31T00:00:00.000Z",
           *                   "end": "2026-01-31T11:50:00.000Z",
           *                   "completeness": "unknown",
           *                   "reasons": [
           *                     "before_window"
           *                   ]
           *                 },
           *                 {
           *                   "start": "2026-01-31T11:50:00.000Z",
           *                   "end": "2026-02-01T00:00:00.000Z",
           *                   "completeness": "complete",
           *                   "reasons": []
           *                 }
           *               ]
           *             }
           *           ]
           *         }
           *       ],
           *       "data": [
           *         {
           *           "insight_search_id": "12",
           *           "social_id": "t3_1abcde",
           *           "social_url": "https://www.reddit.com/r/lisbon/comments/1abcde/",
           *           "platform": "reddit",
           *           "sentiments": "joy",
           *           "intentions": "valuation",
           *           "topic_1": "Lisbon",
           *           "topic_2": "new museum",
           *           "topic_3": null,
           *           "topic_4": null,
           *           "topic_5": null,
           *           "topic_6": null,
           *           "topic_7": null,
           *           "topic_8": null,
           *           "visual_detection_analyses": null,
           *           "text_of_post": "I love the new museum in Lisbon!",
           *           "terms": "museum",
           *           "post_date": "1/31/2026",
           *           "post_time": "11:40:00",
           *           "text_post_lang": "en",
           *           "text_post_type": "post",
           *           "text_post_tagged_users": null,
           *           "text_post_tags": [
           *             "museum"
           *           ],
           *           "geo_coordination": null,
           *           "place_type": null,
           *           "place_full_name": null,
           *           "place_country_code": null,
           *           "place_country_name": null,
           *           "place_id": null,
           *           "share_count": null,
           *           "like_count": "7",
           *           "angry_count": null,
           *           "laugh_count": null,
           *           "love_count": null,
           *           "sad_count": null,
           *           "support_count": null,
           *           "wow_count": null,
           *           "appreciation_count": null,
           *           "empathy_count": null,
           *           "interest_count": null,
           *           "maybe_count": null,
           *           "praise_count": null,
           *           "digg_count": null,
           *           "reaction_total_count": null,
           *           "video_play_count": null,
           *           "video_view_count": null,
           *           "view_count": null,
           *           "share_with_comment_count": null,
           *           "comment_count": "2",
           *           "author_id": "t2_1",
           *           "author_username": "ada_example",
           *           "author_type": null,
           *           "author_name": null,
           *           "more_info": {
           *             "key": "reddit-Ck3bVY0z0PqhG8mS0S5n2w",
           *             "sentiment_simple": {
           *               "value": "positive",
           *               "prob": 0.9899
           *             },
           *             "emotion": {
           *               "value": "joy",
           *               "prob": 0.7134
           *             },
           *             "intention_prob": 0.8868,
           *             "spam": {
           *               "value": "ham",
           *               "prob": 0.9997
           *             }
           *           }
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Export"];
          "text/csv": string;
          "application/x-ndjson": string;
          "application/vnd.apache.parquet": Blob;
        };
      };
      /** @description The range that was asked for. */
      206: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          /** @description Other bytes have another one. */
          ETag?: string;
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          /** @description Which bytes of how many. */
          "Content-Range"?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": string;
          "text/csv": string;
          "application/x-ndjson": string;
          "application/vnd.apache.parquet": Blob;
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          "Retry-After": components["headers"]["RetryAfter"];
          ETag: components["headers"]["ETag"];
          /** @description The name of the file. */
          "Content-Disposition"?: string;
          /** @description `bytes`, where a range can be asked for. */
          "Accept-Ranges"?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["Conflict"];
      416: components["responses"]["RangeNotSatisfiable"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
      504: components["responses"]["Deadline"];
    };
  };
  erasePostings: {
    parameters: {
      query: {
        /**
         * @description The platform of the postings.
         * @example news
         */
        platform: components["schemas"]["Platform"];
        /**
         * @description Id of the posting on its platform.
         * @example 1234567890
         */
        social_id?: string;
        /** @description Id of the author on the platform. */
        author_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How many there were. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "deleted": 1
           *     }
           */
          "application/json": components["schemas"]["PostingsErased"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  listPostings: {
    parameters: {
      query?: {
        /** @description How many entries at most. */
        limit?: components["parameters"]["Limit"];
        /** @description `next_cursor` of the page before; absent for the first page. No other text is one (400). */
        cursor?: components["parameters"]["Cursor"];
        /** @description From these platforms. Repeat it, or separate them by commas. */
        platform?: components["schemas"]["Platform"][];
        /** @description With one of these polarities, which are those of sentiment-simple. Repeat it, or separate them by commas. */
        polarity?: components["schemas"]["PolarityFilter"][];
        /** @description With one of these emotions; `none`: without any. Repeat it, or separate them by commas. */
        sentiment?: (string | components["schemas"]["RealSentiment"] | "none")[];
        /** @description With one of these intentions. Repeat it, or separate them by commas. */
        intention?: (string | components["schemas"]["Intention"] | "none")[];
        /** @description In one of these languages by their ISO 639-1 codes, in any case; `none`: unknown. Others are refused. Repeat it, or separate them by commas. */
        language?: string[];
        /** @description From one of these countries by their ISO 3166-1 codes, in any case; `none`: unknown. Others are refused. Repeat it, or separate them by commas. */
        country?: string[];
        /** @description Of one of these types, such as `post`, `reply` or `repost`. Repeat it, or separate them by commas. */
        type?: string[];
        /** @description Whether spam-detection calls them spam; `none`: it did not judge them. Repeat it, or separate them by commas. */
        spam?: components["schemas"]["SpamFilter"][];
        /** @description By an author with this id, user name or name. Without case; repeat it for further ones. `none`: postings without any. */
        author?: string[];
        /** @description With this topic. Without case; repeat it for further ones. `none`: postings without any. */
        topic?: string[];
        /** @description With this hashtag, with or without its sign. Without case; repeat it for further ones. `none`: postings without any. */
        hashtag?: string[];
        /** @description With an address on this host. Without case; repeat it for further ones. `none`: postings without any. */
        domain?: string[];
        /** @description With this face, object, activity or logo in their media. Without case; repeat it for further ones. `none`: postings without any. */
        label?: string[];
        /** @description That match this query, in the language of keywords. */
        q?: string;
        /** @description Posted on this day or later. */
        start_date?: string;
        /** @description Posted before this day. */
        end_date?: string;
        /** @description The same as a moment, which comes before `start_date`. */
        start?: string;
        /** @description The same as a moment, which comes before `end_date`. */
        end?: string;
        /** @description What they are sorted by: `engagement` is reactions, comments and shares together. Postings that do not state it come last. By default, `posted_at`. */
        sort?: components["schemas"]["PostingSort"];
        /** @description By default, `desc`. */
        order?: components["schemas"]["SortOrder"];
        /** @description `true`: count all postings that match, up to 10,000. */
        total?: boolean;
        /** @description `watermark` of an earlier page: only postings that were analyzed since then, and perhaps some of the 15 seconds before. */
        since?: string;
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "postings": [
           *         {
           *           "insight_search_id": "12",
           *           "social_id": "t3_1abcde",
           *           "social_url": "https://www.reddit.com/r/lisbon/comments/1abcde/",
           *           "platform": "reddit",
           *           "sentiments": "joy",
           *           "intentions": "valuation",
           *           "topic_1": "Lisbon",
           *           "topic_2": "new museum",
           *           "topic_3": null,
           *           "topic_4": null,
           *           "topic_5": null,
           *           "topic_6": null,
           *           "topic_7": null,
           *           "topic_8": null,
           *           "visual_detection_analyses": null,
           *           "text_of_post": "I love the new museum in Lisbon!",
           *           "terms": "museum",
           *           "post_date": "1/31/2026",
           *           "post_time": "11:40:00",
           *           "text_post_lang": "en",
           *           "text_post_type": "post",
           *           "text_post_tagged_users": null,
           *           "text_post_tags": [
           *             "museum"
           *           ],
           *           "geo_coordination": null,
           *           "place_type": null,
           *           "place_full_name": null,
           *           "place_country_code": null,
           *           "place_country_name": null,
           *           "place_id": null,
           *           "share_count": null,
           *           "like_count": "7",
           *           "angry_count": null,
           *           "laugh_count": null,
           *           "love_count": null,
           *           "sad_count": null,
           *           "support_count": null,
           *           "wow_count": null,
           *           "appreciation_count": null,
           *           "empathy_count": null,
           *           "interest_count": null,
           *           "maybe_count": null,
           *           "praise_count": null,
           *           "digg_count": null,
           *           "reaction_total_count": null,
           *           "video_play_count": null,
           *           "video_view_count": null,
           *           "view_count": null,
           *           "share_with_comment_count": null,
           *           "comment_count": "2",
           *           "author_id": "t2_1",
           *           "author_username": "ada_example",
           *           "author_type": null,
           *           "author_name": null,
           *           "more_info": {
           *             "key": "reddit-Ck3bVY0z0PqhG8mS0S5n2w",
           *             "sentiment_simple": {
           *               "value": "positive",
           *               "prob": 0.9899
           *             },
           *             "emotion": {
           *               "value": "joy",
           *               "prob": 0.7134
           *             },
           *             "intention_prob": 0.8868,
           *             "spam": {
           *               "value": "ham",
           *               "prob": 0.9997
           *             }
           *           }
           *         }
           *       ],
           *       "next_cursor": null,
           *       "total": 1,
           *       "total_is_exact": true,
           *       "watermark": "1769860800000"
           *     }
           */
          "application/json": components["schemas"]["PostingPage"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  importPostings: {
    parameters: {
      query?: {
        /** @description `true`: leave out postings that do not match the keywords. */
        match?: boolean;
        /** @description With complete_to: states that, with this import, all that the platforms of its postings published for the search since this moment, or day, is stored. The span counts as collected completely, so that its days can be judged; a wrong row of a CSV file then refuses the file. */
        complete_from?: string;
        /** @description The end of that span, which does not belong to it and has passed. */
        complete_to?: string;
        /** @description `true`: check all and store nothing; the answer says what an import would do. Viewers may do that, too. */
        validate_only?: boolean;
        /** @description How the file writes its times, one of iso, d/m/yyyy, m/d/yyyy, unix, unix_ms, excel; days also with dots or dashes. Without it, times are recognized, and a file is refused whose days contradict each other, or whose times are bare numbers. */
        date_format?: string;
        /** @description The time zone, of IANA, of the times that state none; UTC without it. */
        time_zone?: string;
        /** @description CSV only: the tool that wrote the file, one of hourglass, 4cat, youtube-data-tools. Without it and without a map: hourglass. */
        preset?: string;
        /** @description CSV only: a JSON object of keys with their columns, such as {"text_of_post":"body","platform":{"value":"reddit"}}. It comes before the preset. */
        map?: string;
      };
      header?: {
        /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example platform,post_date,post_time,text_of_post,like_count
         *     news,1/31/2026,12:00:00,The queue was far too long.,3
         */
        "text/csv": Blob;
        /** @example {"platform":"news","post_date":"1/31/2026","post_time":"12:00:00","text_of_post":"The queue was far too long."} */
        "application/jsonl": Blob;
        /** @example {"platform":"news","post_date":"1/31/2026","post_time":"12:00:00","text_of_post":"The queue was far too long."} */
        "application/json-lines": Blob;
        /** @example {"platform":"news","post_date":"1/31/2026","post_time":"12:00:00","text_of_post":"The queue was far too long."} */
        "application/x-jsonlines": Blob;
        /** @example {"platform":"news","post_date":"1/31/2026","post_time":"12:00:00","text_of_post":"The queue was far too long."} */
        "application/ndjson": Blob;
        /** @example {"platform":"news","post_date":"1/31/2026","post_time":"12:00:00","text_of_post":"The queue was far too long."} */
        "application/x-ndjson": Blob;
      };
    };
    responses: {
      /** @description Stored. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostingsAccepted"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["TooSlow"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
      504: components["responses"]["Deadline"];
    };
  };
  getPosting: {
    parameters: {
      query?: {
        /** @description `true`: analyze the text once more, and explain the results. */
        explain?: boolean;
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
        /** @description `more_info.key` of the posting. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The posting. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SinglePosting"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
      504: components["responses"]["Deadline"];
    };
  };
  listPlatforms: {
    parameters: {
      query?: never;
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All platforms. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "platforms": [
           *         {
           *           "platform": "news",
           *           "state": "waiting",
           *           "mode": "follow",
           *           "missing": null
           *         },
           *         {
           *           "platform": "twitter",
           *           "state": "not_configured",
           *           "mode": "search",
           *           "missing": "Set TWITTER_BEARER_TOKEN to collect from twitter."
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Platforms"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getCoverage: {
    parameters: {
      query?: {
        /** @description From this day on. */
        start_date?: string;
        /** @description Before this day. */
        end_date?: string;
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The spans, in order. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "platforms": [
           *         {
           *           "platform": "news",
           *           "spans": [
           *             {
           *               "start": "2026-01-31T00:00:00.000Z",
           *               "end": "2026-01-31T11:50:00.000Z",
           *               "completeness": "unknown",
           *               "reasons": [
           *                 "before_window"
           *               ]
           *             },
           *             {
           *               "start": "2026-01-31T11:50:00.000Z",
           *               "end": "2026-02-01T00:00:00.000Z",
           *               "completeness": "complete",
           *               "reasons": []
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Coverage"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  listInsights: {
    parameters: {
      query?: {
        /** @description How many entries at most. */
        limit?: components["parameters"]["Limit"];
        /** @description `next_cursor` of the page before; absent for the first page. No other text is one (400). */
        cursor?: components["parameters"]["Cursor"];
        status?: components["schemas"]["InsightStatus"];
        /** @description Only those with this text in their name or terms, in any case and with any accents. */
        q?: string;
        /** @description What they are sorted by: `created_at` (the default), `name` (without one, by terms), `activity` (when a posting was last stored), or `postings` (their number). */
        sort?: components["schemas"]["InsightSort"];
        /** @description Only those whose metadata has this value for the key that stands in place of `KEY`, such as `metadata.ticket=4711`, exactly. With several, all of them. */
        "metadata.KEY"?: components["parameters"]["MetadataEntry"];
        /** @description By default, `asc` for `name`, and `desc` otherwise. */
        order?: components["schemas"]["SortOrder"];
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "insights": [
           *         {
           *           "id": 12,
           *           "name": "Electric cars",
           *           "note": "For the weekly report.",
           *           "metadata": {
           *             "campaign": "winter"
           *           },
           *           "created_by": {
           *             "user_id": 3,
           *             "key_id": null,
           *             "name": "Ann Lee"
           *           },
           *           "status": "running",
           *           "query": {
           *             "keywords": "\"electric cars\" OR #ev",
           *             "platforms": [
           *               "news",
           *               "twitter"
           *             ],
           *             "dimensions": [
           *               "textual"
           *             ],
           *             "follow": {
           *               "feeds": [
           *                 "https://news.example.com/rss.xml"
           *               ],
           *               "subreddits": [],
           *               "pages": [],
           *               "organisations": []
           *             },
           *             "location": null,
           *             "sneak_peek": false
           *           },
           *           "terms": "\"electric cars\" OR #ev",
           *           "posting_count": 41,
           *           "unanalysed_count": 2,
           *           "last_activity_at": "2026-01-31T12:00:00.000Z",
           *           "platforms": [
           *             {
           *               "platform": "news",
           *               "state": "waiting",
           *               "next_at": "2026-01-31T12:05:00.000Z",
           *               "last_success_at": "2026-01-31T12:00:00.000Z",
           *               "last_error": null,
           *               "counts": {
           *                 "requests": 3,
           *                 "fetched": 90,
           *                 "matched": 44,
           *                 "stored": 41,
           *                 "duplicates": 3,
           *                 "skipped": 0
           *               },
           *               "warnings": [],
           *               "stalled": null
           *             },
           *             {
           *               "platform": "twitter",
           *               "state": "not_configured",
           *               "next_at": null,
           *               "last_success_at": null,
           *               "last_error": "Set TWITTER_BEARER_TOKEN to collect from twitter.",
           *               "counts": {
           *                 "requests": 0,
           *                 "fetched": 0,
           *                 "matched": 0,
           *                 "stored": 0,
           *                 "duplicates": 0,
           *                 "skipped": 0
           *               },
           *               "warnings": [],
           *               "stalled": null
           *             }
           *           ],
           *           "created_at": "2026-01-31T11:50:00.000Z",
           *           "finished_at": null,
           *           "version": 2
           *         }
           *       ],
           *       "next_cursor": null
           *     }
           */
          "application/json": components["schemas"]["InsightPage"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  createInsight: {
    parameters: {
      query?: never;
      header?: {
        /** @description A text of your choice. The same key with the same request within 24 hours gives the first answer again instead of doing it twice, also when the record has been deleted since; with another request it is refused (400). */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description At most 262144 bytes. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "query": {
         *         "keywords": "\"electric cars\" OR #ev",
         *         "platforms": [
         *           "news",
         *           "twitter"
         *         ],
         *         "dimensions": [
         *           "textual"
         *         ],
         *         "follow": {
         *           "feeds": [
         *             "https://news.example.com/rss.xml"
         *           ]
         *         }
         *       }
         *     }
         */
        "application/json": components["schemas"]["NewInsight"];
      };
    };
    responses: {
      /** @description It runs. The Location header holds its id, too. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 12,
           *       "notice": "The search was created. It runs continuously on news.",
           *       "warnings": [
           *         {
           *           "message": "NOT is read as -. A - directly before a word excludes it.",
           *           "start": 8,
           *           "end": 11,
           *           "fix": "kestrel -jobs"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["CreatedInsight"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["TooSlow"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  checkInsight: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 262144 bytes. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "query": {
         *         "keywords": "\"electric cars\" OR #ev -\"toy cars\"",
         *         "platforms": [
         *           "news",
         *           "twitter"
         *         ],
         *         "dimensions": [
         *           "textual"
         *         ],
         *         "follow": {
         *           "feeds": [
         *             "https://news.example.com/rss.xml"
         *           ]
         *         }
         *       }
         *     }
         */
        "application/json": components["schemas"]["NewInsight"];
      };
    };
    responses: {
      /** @description The plan. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "terms": [
           *         "\"electric cars\" OR #ev -\"toy cars\""
           *       ],
           *       "parsed": {
           *         "sentence": "any of: phrase \"electric cars\", tag #ev; without: phrase \"toy cars\"",
           *         "terms": [
           *           {
           *             "text": "\"electric cars\" OR #ev -\"toy cars\"",
           *             "sentence": "any of: phrase \"electric cars\", tag #ev; without: phrase \"toy cars\"",
           *             "expression": {
           *               "kind": "all",
           *               "parts": [
           *                 {
           *                   "kind": "any",
           *                   "parts": [
           *                     {
           *                       "kind": "phrase",
           *                       "value": "electric cars"
           *                     },
           *                     {
           *                       "kind": "tag",
           *                       "value": "ev"
           *                     }
           *                   ]
           *                 },
           *                 {
           *                   "kind": "without",
           *                   "parts": [
           *                     {
           *                       "kind": "phrase",
           *                       "value": "toy cars"
           *                     }
           *                   ]
           *                 }
           *               ]
           *             }
           *           }
           *         ]
           *       },
           *       "platforms": [
           *         {
           *           "platform": "news",
           *           "state": "waiting",
           *           "mode": "follow",
           *           "queries": [
           *             "https://news.example.com/rss.xml"
           *           ],
           *           "narrowed_locally": true,
           *           "cost": "1 request per feed",
           *           "warnings": []
           *         }
           *       ],
           *       "warnings": []
           *     }
           */
          "application/json": components["schemas"]["InsightCheck"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["TooSlow"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getInsight: {
    parameters: {
      query?: never;
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The insight. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 12,
           *       "name": "Electric cars",
           *       "note": "For the weekly report.",
           *       "metadata": {
           *         "campaign": "winter"
           *       },
           *       "created_by": {
           *         "user_id": 3,
           *         "key_id": null,
           *         "name": "Ann Lee"
           *       },
           *       "status": "running",
           *       "query": {
           *         "keywords": "\"electric cars\" OR #ev",
           *         "platforms": [
           *           "news",
           *           "twitter"
           *         ],
           *         "dimensions": [
           *           "textual"
           *         ],
           *         "follow": {
           *           "feeds": [
           *             "https://news.example.com/rss.xml"
           *           ],
           *           "subreddits": [],
           *           "pages": [],
           *           "organisations": []
           *         },
           *         "location": null,
           *         "sneak_peek": false
           *       },
           *       "terms": "\"electric cars\" OR #ev",
           *       "posting_count": 41,
           *       "unanalysed_count": 2,
           *       "last_activity_at": "2026-01-31T12:00:00.000Z",
           *       "platforms": [
           *         {
           *           "platform": "news",
           *           "state": "waiting",
           *           "next_at": "2026-01-31T12:05:00.000Z",
           *           "last_success_at": "2026-01-31T12:00:00.000Z",
           *           "last_error": null,
           *           "counts": {
           *             "requests": 3,
           *             "fetched": 90,
           *             "matched": 44,
           *             "stored": 41,
           *             "duplicates": 3,
           *             "skipped": 0
           *           },
           *           "warnings": [],
           *           "stalled": null
           *         },
           *         {
           *           "platform": "twitter",
           *           "state": "not_configured",
           *           "next_at": null,
           *           "last_success_at": null,
           *           "last_error": "Set TWITTER_BEARER_TOKEN to collect from twitter.",
           *           "counts": {
           *             "requests": 0,
           *             "fetched": 0,
           *             "matched": 0,
           *             "stored": 0,
           *             "duplicates": 0,
           *             "skipped": 0
           *           },
           *           "warnings": [],
           *           "stalled": null
           *         }
           *       ],
           *       "created_at": "2026-01-31T11:50:00.000Z",
           *       "finished_at": null,
           *       "version": 2,
           *       "versions": [
           *         {
           *           "version": 1,
           *           "at": "2026-01-31T11:50:00.000Z",
           *           "created_by": {
           *             "user_id": 3,
           *             "key_id": null,
           *             "name": "Ann Lee"
           *           },
           *           "keywords": "\"electric cars\"",
           *           "platforms": [
           *             "news",
           *             "twitter"
           *           ],
           *           "location": null,
           *           "follow": {
           *             "feeds": [
           *               "https://news.example.com/rss.xml"
           *             ],
           *             "subreddits": [],
           *             "pages": [],
           *             "organisations": []
           *           }
           *         },
           *         {
           *           "version": 2,
           *           "at": "2026-01-31T11:58:00.000Z",
           *           "created_by": {
           *             "user_id": 4,
           *             "key_id": 7,
           *             "name": "Bob Lee"
           *           },
           *           "keywords": "\"electric cars\" OR #ev",
           *           "platforms": [
           *             "news",
           *             "twitter"
           *           ],
           *           "location": null,
           *           "follow": {
           *             "feeds": [
           *               "https://news.example.com/rss.xml"
           *             ],
           *             "subreddits": [],
           *             "pages": [],
           *             "organisations": []
           *           }
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Insight"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  deleteInsight: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of the record as you read it, or several: the request is refused (412) if somebody has changed the record since. What the record counts does not matter, and `*` is every record. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      412: components["responses"]["PreconditionFailed"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  updateInsight: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of the record as you read it, or several: the request is refused (412) if somebody has changed the record since. What the record counts does not matter, and `*` is every record. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    /** @description At most 262144 bytes. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["InsightChanges"];
      };
    };
    responses: {
      /** @description The changed record. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 12,
           *       "name": "Electric cars",
           *       "note": "For the weekly report.",
           *       "metadata": {
           *         "campaign": "winter"
           *       },
           *       "created_by": {
           *         "user_id": 3,
           *         "key_id": null,
           *         "name": "Ann Lee"
           *       },
           *       "status": "running",
           *       "query": {
           *         "keywords": "\"electric cars\" OR #ev",
           *         "platforms": [
           *           "news",
           *           "twitter"
           *         ],
           *         "dimensions": [
           *           "textual"
           *         ],
           *         "follow": {
           *           "feeds": [
           *             "https://news.example.com/rss.xml"
           *           ],
           *           "subreddits": [],
           *           "pages": [],
           *           "organisations": []
           *         },
           *         "location": null,
           *         "sneak_peek": false
           *       },
           *       "terms": "\"electric cars\" OR #ev",
           *       "posting_count": 41,
           *       "unanalysed_count": 2,
           *       "last_activity_at": "2026-01-31T12:00:00.000Z",
           *       "platforms": [
           *         {
           *           "platform": "news",
           *           "state": "waiting",
           *           "next_at": "2026-01-31T12:05:00.000Z",
           *           "last_success_at": "2026-01-31T12:00:00.000Z",
           *           "last_error": null,
           *           "counts": {
           *             "requests": 3,
           *             "fetched": 90,
           *             "matched": 44,
           *             "stored": 41,
           *             "duplicates": 3,
           *             "skipped": 0
           *           },
           *           "warnings": [],
           *           "stalled": null
           *         },
           *         {
           *           "platform": "twitter",
           *           "state": "not_configured",
           *           "next_at": null,
           *           "last_success_at": null,
           *           "last_error": "Set TWITTER_BEARER_TOKEN to collect from twitter.",
           *           "counts": {
           *             "requests": 0,
           *             "fetched": 0,
           *             "matched": 0,
           *             "stored": 0,
           *             "duplicates": 0,
           *             "skipped": 0
           *           },
           *           "warnings": [],
           *           "stalled": null
           *         }
           *       ],
           *       "created_at": "2026-01-31T11:50:00.000Z",
           *       "finished_at": null,
           *       "version": 2,
           *       "versions": [
           *         {
           *           "version": 1,
           *           "at": "2026-01-31T11:50:00.000Z",
           *           "created_by": {
           *             "user_id": 3,
           *             "key_id": null,
           *             "name": "Ann Lee"
           *           },
           *           "keywords": "\"electric cars\"",
           *           "platforms": [
           *             "news",
           *             "twitter"
           *           ],
           *           "location": null,
           *           "follow": {
           *             "feeds": [
           *               "https://news.example.com/rss.xml"
           *             ],
           *             "subreddits": [],
           *             "pages": [],
           *             "organisations": []
           *           }
           *         },
           *         {
           *           "version": 2,
           *           "at": "2026-01-31T11:58:00.000Z",
           *           "created_by": {
           *             "user_id": 4,
           *             "key_id": 7,
           *             "name": "Bob Lee"
           *           },
           *           "keywords": "\"electric cars\" OR #ev",
           *           "platforms": [
           *             "news",
           *             "twitter"
           *           ],
           *           "location": null,
           *           "follow": {
           *             "feeds": [
           *               "https://news.example.com/rss.xml"
           *             ],
           *             "subreddits": [],
           *             "pages": [],
           *             "organisations": []
           *           }
           *         }
           *       ],
           *       "warnings": []
           *     }
           */
          "application/json": components["schemas"]["ChangedInsight"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["TooSlow"];
      412: components["responses"]["PreconditionFailed"];
      413: components["responses"]["TooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  pauseInsight: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "notice": "The search is paused. It collects nothing until it is resumed."
           *     }
           */
          "application/json": components["schemas"]["Notice"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  resumeInsight: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "notice": "The search is resumed. It collects continuously."
           *     }
           */
          "application/json": components["schemas"]["Notice"];
        };
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  summarizeInsight: {
    parameters: {
      query?: {
        /** @description The same as a moment, which comes before `start_date`. */
        start?: string;
        /** @description The same as a moment, which comes before `end_date`. */
        end?: string;
        /** @description From this day of the time zone on; by default, 30 days before `end_date`. */
        start_date?: string;
        /** @description Before this day of the time zone; by default, tomorrow. At most 31 days after `start_date` for hours, 366 for days, 1,830 for weeks, 3,660 for months. */
        end_date?: string;
        /**
         * @description IANA name of the time zone in which days, weeks and months begin; by default, UTC.
         * @example Europe/Lisbon
         */
        time_zone?: string;
        /** @description Length of the steps of the series; by default, a day. */
        interval?: components["schemas"]["SummaryInterval"];
        /** @description Length of the lists; by default, 20. */
        top?: number;
        /** @description Ids of other insights to compare the share of voice with; repeat it, or separate them by commas. */
        compare?: number[];
        /** @description From these platforms. Repeat it, or separate them by commas. */
        platform?: components["schemas"]["Platform"][];
        /** @description With one of these polarities, which are those of sentiment-simple. Repeat it, or separate them by commas. */
        polarity?: components["schemas"]["PolarityFilter"][];
        /** @description With one of these emotions; `none`: without any. Repeat it, or separate them by commas. */
        sentiment?: (string | components["schemas"]["RealSentiment"] | "none")[];
        /** @description With one of these intentions. Repeat it, or separate them by commas. */
        intention?: (string | components["schemas"]["Intention"] | "none")[];
        /** @description In one of these languages by their ISO 639-1 codes, in any case; `none`: unknown. Others are refused. Repeat it, or separate them by commas. */
        language?: string[];
        /** @description From one of these countries by their ISO 3166-1 codes, in any case; `none`: unknown. Others are refused. Repeat it, or separate them by commas. */
        country?: string[];
        /** @description Of one of these types, such as `post`, `reply` or `repost`. Repeat it, or separate them by commas. */
        type?: string[];
        /** @description Whether spam-detection calls them spam; `none`: it did not judge them. Repeat it, or separate them by commas. */
        spam?: components["schemas"]["SpamFilter"][];
        /** @description By an author with this id, user name or name. Without case; repeat it for further ones. `none`: postings without any. */
        author?: string[];
        /** @description With this topic. Without case; repeat it for further ones. `none`: postings without any. */
        topic?: string[];
        /** @description With this hashtag, with or without its sign. Without case; repeat it for further ones. `none`: postings without any. */
        hashtag?: string[];
        /** @description With an address on this host. Without case; repeat it for further ones. `none`: postings without any. */
        domain?: string[];
        /** @description With this face, object, activity or logo in their media. Without case; repeat it for further ones. `none`: postings without any. */
        label?: string[];
        /** @description That match this query, in the language of keywords. */
        q?: string;
      };
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Id of the record. */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The summary. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "start": "2026-01-30T00:00:00.000Z",
           *       "end": "2026-02-01T00:00:00.000Z",
           *       "interval": "day",
           *       "totals": {
           *         "postings": 3,
           *         "platforms": {
           *           "values": [
           *             {
           *               "value": "news",
           *               "count": 2
           *             },
           *             {
           *               "value": "reddit",
           *               "count": 1
           *             }
           *           ],
           *           "other": 0
           *         },
           *         "sentiments": {
           *           "values": [
           *             {
           *               "value": null,
           *               "count": 1
           *             },
           *             {
           *               "value": "annoyance",
           *               "count": 1
           *             },
           *             {
           *               "value": "pleasantness",
           *               "count": 1
           *             }
           *           ],
           *           "other": 0
           *         },
           *         "polarities": {
           *           "values": [
           *             {
           *               "value": "negative",
           *               "count": 1
           *             },
           *             {
           *               "value": "neutral",
           *               "count": 1
           *             },
           *             {
           *               "value": "positive",
           *               "count": 1
           *             }
           *           ],
           *           "other": 0
           *         },
           *         "intentions": {
           *           "values": [
           *             {
           *               "value": "valuation",
           *               "count": 2
           *             },
           *             {
           *               "value": "assertion",
           *               "count": 1
           *             }
           *           ],
           *           "other": 0
           *         },
           *         "spam": {
           *           "values": [
           *             {
           *               "value": "ham",
           *               "count": 3
           *             }
           *           ],
           *           "other": 0
           *         },
           *         "languages": {
           *           "values": [
           *             {
           *               "value": "en",
           *               "count": 3
           *             }
           *           ],
           *           "other": 0
           *         },
           *         "countries": {
           *           "values": [
           *             {
           *               "value": null,
           *               "count": 2
           *             },
           *             {
           *               "value": "PT",
           *               "count": 1
           *             }
           *           ],
           *           "other": 0
           *         },
           *         "types": {
           *           "values": [
           *             {
           *               "value": null,
           *               "count": 2
           *             },
           *             {
           *               "value": "post",
           *               "count": 1
           *             }
           *           ],
           *           "other": 0
           *         },
           *         "engagement": [
           *           {
           *             "name": "like_count",
           *             "sum": "7",
           *             "postings": 2
           *           }
           *         ]
           *       },
           *       "series": [
           *         {
           *           "start": "2026-01-30T00:00:00.000Z",
           *           "end": "2026-01-31T00:00:00.000Z",
           *           "completeness": "unknown",
           *           "postings": 1,
           *           "platforms": {
           *             "values": [
           *               {
           *                 "value": "news",
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "sentiments": {
           *             "values": [
           *               {
           *                 "value": null,
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "polarities": {
           *             "values": [
           *               {
           *                 "value": "neutral",
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "intentions": {
           *             "values": [
           *               {
           *                 "value": "assertion",
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "spam": {
           *             "values": [
           *               {
           *                 "value": "ham",
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "languages": {
           *             "values": [
           *               {
           *                 "value": "en",
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "countries": {
           *             "values": [
           *               {
           *                 "value": "PT",
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "types": {
           *             "values": [
           *               {
           *                 "value": null,
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "engagement": [
           *             {
           *               "name": "like_count",
           *               "sum": "3",
           *               "postings": 1
           *             }
           *           ]
           *         },
           *         {
           *           "start": "2026-01-31T00:00:00.000Z",
           *           "end": "2026-02-01T00:00:00.000Z",
           *           "completeness": "unknown",
           *           "postings": 2,
           *           "platforms": {
           *             "values": [
           *               {
           *                 "value": "news",
           *                 "count": 1
           *               },
           *               {
           *                 "value": "reddit",
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "sentiments": {
           *             "values": [
           *               {
           *                 "value": "annoyance",
           *                 "count": 1
           *               },
           *               {
           *                 "value": "pleasantness",
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "polarities": {
           *             "values": [
           *               {
           *                 "value": "negative",
           *                 "count": 1
           *               },
           *               {
           *                 "value": "positive",
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "intentions": {
           *             "values": [
           *               {
           *                 "value": "valuation",
           *                 "count": 2
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "spam": {
           *             "values": [
           *               {
           *                 "value": "ham",
           *                 "count": 2
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "languages": {
           *             "values": [
           *               {
           *                 "value": "en",
           *                 "count": 2
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "countries": {
           *             "values": [
           *               {
           *                 "value": null,
           *                 "count": 2
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "types": {
           *             "values": [
           *               {
           *                 "value": null,
           *                 "count": 1
           *               },
           *               {
           *                 "value": "post",
           *                 "count": 1
           *               }
           *             ],
           *             "other": 0
           *           },
           *           "engagement": [
           *             {
           *               "name": "like_count",
           *               "sum": "4",
           *               "postings": 1
           *             }
           *           ]
           *         }
           *       ],
           *       "top": {
           *         "topics": {
           *           "values": [
           *             {
           *               "value": "charging stations",
           *               "count": 1,
           *               "share": 0.3333333333333333
           *             },
           *             {
           *               "value": "gate",
           *               "count": 1,
           *               "share": 0.3333333333333333
           *             },
           *             {
           *               "value": "Lisbon",
           *               "count": 1,
           *               "share": 0.3333333333333333
           *             }
           *           ],
           *           "distinct": 5,
           *           "error": 0,
           *           "distinct_error": 0
           *         },
           *         "hashtags": {
           *           "values": [
           *             {
           *               "value": "EV",
           *               "count": 2,
           *               "share": 0.6666666666666666
           *             },
           *             {
           *               "value": "Charging",
           *               "count": 1,
           *               "share": 0.3333333333333333
           *             }
           *           ],
           *           "distinct": 2,
           *           "error": 0,
           *           "distinct_error": 0
           *         },
           *         "authors": {
           *           "values": [
           *             {
           *               "platform": "news",
           *               "author_id": null,
           *               "author_username": null,
           *               "author_name": "Ann",
           *               "count": 2,
           *               "share": 0.6666666666666666
           *             },
           *             {
           *               "platform": "reddit",
           *               "author_id": "t2_1",
           *               "author_username": "kestrel",
           *               "author_name": null,
           *               "count": 1,
           *               "share": 0.3333333333333333
           *             }
           *           ],
           *           "distinct": 2,
           *           "error": 0,
           *           "distinct_error": 0
           *         },
           *         "labels": {
           *           "values": [],
           *           "distinct": 0,
           *           "error": 0,
           *           "distinct_error": 0
           *         },
           *         "domains": {
           *           "values": [
           *             {
           *               "value": "news.example.com",
           *               "count": 2,
           *               "share": 0.6666666666666666
           *             }
           *           ],
           *           "distinct": 1,
           *           "error": 0,
           *           "distinct_error": 0
           *         }
           *       },
           *       "coverage": {
           *         "platforms": [
           *           {
           *             "platform": "news",
           *             "spans": [
           *               {
           *                 "start": "2026-01-30T00:00:00.000Z",
           *                 "end": "2026-02-01T00:00:00.000Z",
           *                 "completeness": "unknown",
           *                 "reasons": [
           *                   "before_window"
           *                 ]
           *               }
           *             ]
           *           },
           *           {
           *             "platform": "reddit",
           *             "spans": [
           *               {
           *                 "start": "2026-01-30T00:00:00.000Z",
           *                 "end": "2026-02-01T00:00:00.000Z",
           *                 "completeness": "unknown",
           *                 "reasons": [
           *                   "not_configured"
           *                 ]
           *               }
           *             ]
           *           }
           *         ]
           *       },
           *       "spikes": {
           *         "judgements": [
           *           {
           *             "platform": null,
           *             "metric": "postings",
           *             "status": "incomplete",
           *             "judged": 0,
           *             "needs": "one complete day: one that is over, and was collected or imported as complete"
           *           },
           *           {
           *             "platform": null,
           *             "metric": "negative_share",
           *             "status": "incomplete",
           *             "judged": 0,
           *             "needs": "one complete day: one that is over, and was collected or imported as complete"
           *           },
           *           {
           *             "platform": "news",
           *             "metric": "postings",
           *             "status": "incomplete",
           *             "judged": 0,
           *             "needs": "one complete day: one that is over, and was collected or imported as complete"
           *           },
           *           {
           *             "platform": "news",
           *             "metric": "negative_share",
           *             "status": "incomplete",
           *             "judged": 0,
           *             "needs": "one complete day: one that is over, and was collected or imported as complete"
           *           },
           *           {
           *             "platform": "reddit",
           *             "metric": "postings",
           *             "status": "incomplete",
           *             "judged": 0,
           *             "needs": "one complete day: one that is over, and was collected or imported as complete"
           *           },
           *           {
           *             "platform": "reddit",
           *             "metric": "negative_share",
           *             "status": "incomplete",
           *             "judged": 0,
           *             "needs": "one complete day: one that is over, and was collected or imported as complete"
           *           }
           *         ],
           *         "spikes": []
           *       },
           *       "time_zone": "UTC",
           *       "versions": [
           *         {
           *           "version": 1,
           *           "at": "2026-01-31T11:50:00.000Z",
           *           "created_by": {
           *             "user_id": 3,
           *             "key_id": null,
           *             "name": "Ann Lee"
           *           },
           *           "keywords": "\"electric cars\" OR #ev",
           *           "platforms": [
           *             "news",
           *             "reddit"
           *           ],
           *           "location": null,
           *           "follow": null
           *         }
           *       ],
           *       "counted": false
           *     }
           */
          "application/json": components["schemas"]["Summary"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
      504: components["responses"]["Deadline"];
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It does. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "ok"
           *     }
           */
          "application/json": components["schemas"]["Health"];
        };
      };
      400: components["responses"]["Invalid"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It can. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "ready"
           *     }
           */
          "application/json": components["schemas"]["Readiness"];
        };
      };
      400: components["responses"]["Invalid"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getServer: {
    parameters: {
      query?: never;
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The server. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "version": "0.1.0",
           *       "revision": null,
           *       "demo": false,
           *       "limits": {
           *         "body_bytes": 10485760,
           *         "upload_bytes": 104857600,
           *         "contents": 100,
           *         "text_characters": 20000,
           *         "image_pixels": 50000000,
           *         "media_seconds": 900,
           *         "export_range_days": 366,
           *         "unfinished_operations": 1000,
           *         "unfinished_exports": 10,
           *         "requests_per_minute": 600,
           *         "sign_in_attempts_per_minute": null
           *       },
           *       "analyses": [
           *         {
           *           "type": "sentiment-simple",
           *           "engine": "accurate",
           *           "model": "sentiment-simple-encoder",
           *           "model_version": "1",
           *           "state": "ready",
           *           "reason": null,
           *           "cure": null
           *         },
           *         {
           *           "type": "speech",
           *           "engine": null,
           *           "model": null,
           *           "model_version": null,
           *           "state": "missing",
           *           "reason": "Model onnx-community/moonshine-tiny-ONNX is not in MODELS_DIR.",
           *           "cure": "Run npm run models -- pull onnx-community/moonshine-tiny-ONNX."
           *         }
           *       ],
           *       "languages": [
           *         "en",
           *         "pt"
           *       ],
           *       "platforms": [
           *         {
           *           "platform": "news",
           *           "state": "waiting",
           *           "missing": null
           *         },
           *         {
           *           "platform": "twitter",
           *           "state": "not_configured",
           *           "missing": "Set TWITTER_BEARER_TOKEN to collect from twitter."
           *         }
           *       ],
           *       "retention": {
           *         "operations_days": null,
           *         "exports_days": 30,
           *         "unused_files_days": 1,
           *         "postings": [
           *           {
           *             "platform": "news",
           *             "days": null
           *           },
           *           {
           *             "platform": "twitter",
           *             "days": 30
           *           }
           *         ]
           *       }
           *     }
           */
          "application/json": components["schemas"]["Server"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  listModels: {
    parameters: {
      query?: never;
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The cards. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "models": [
           *         {
           *           "analysis": "sentiment-simple",
           *           "use": "whether a post is positive, negative or neutral about its subject. Models `sentiment-simple-encoder`, `sentiment-simple-linear`.",
           *           "data": "`sentiment-simple`, 68,027 texts: SemEval-2013 to 2016 tweets (annotations CC BY 3.0, tweets under the platform's terms), the VADER ground truth (MIT; valence ≥ .5 positive, ≤ −.5 negative), Stanford Sentiment Treebank (research use, no explicit license). The encoder is also trained on the 1,839 English tweets of `sentiment-multilingual`, of which 717 are among these.",
           *           "known_limits": "irony (below), quoted opinions, opinions about two things at once, neutral reports of bad news (often negative), comparisons (\"lasts twice as long as the old one\" may be negative), slang with rare words. Enthusiastic spam is positive.",
           *           "engines": [
           *             {
           *               "engine": "accurate",
           *               "languages": [
           *                 "ar",
           *                 "cs",
           *                 "da",
           *                 "de",
           *                 "el",
           *                 "en",
           *                 "es",
           *                 "fa",
           *                 "fi",
           *                 "fr",
           *                 "he",
           *                 "hi",
           *                 "hu",
           *                 "id",
           *                 "it",
           *                 "ja",
           *                 "ko",
           *                 "nb",
           *                 "nl",
           *                 "pl",
           *                 "pt",
           *                 "ro",
           *                 "ru",
           *                 "sv",
           *                 "th",
           *                 "tr",
           *                 "uk",
           *                 "vi",
           *                 "zh"
           *               ],
           *               "scores": [
           *                 {
           *                   "metric": "accuracy",
           *                   "value": 0.739,
           *                   "interval": null,
           *                   "rows": null,
           *                   "on": "development data, on which the models were tuned"
           *                 },
           *                 {
           *                   "metric": "macro_f1",
           *                   "value": 0.739,
           *                   "interval": null,
           *                   "rows": null,
           *                   "on": "development data, on which the models were tuned"
           *                 },
           *                 {
           *                   "metric": "calibration_error",
           *                   "value": 0.04,
           *                   "interval": null,
           *                   "rows": null,
           *                   "on": "development data, on which the models were tuned"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.081,
           *                   "interval": [
           *                     0.053,
           *                     0.123
           *                   ],
           *                   "rows": 234,
           *                   "on": "negation and condition"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.14,
           *                   "interval": [
           *                     0.084,
           *                     0.225
           *                   ],
           *                   "rows": 93,
           *                   "on": "minimal pairs of these"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.062,
           *                   "interval": [
           *                     0.037,
           *                     0.103
           *                   ],
           *                   "rows": 210,
           *                   "on": "words of misleading polarity, invariances"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.35,
           *                   "interval": [
           *                     0.181,
           *                     0.567
           *                   ],
           *                   "rows": 20,
           *                   "on": "sarcasm"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.2,
           *                   "interval": [
           *                     0.081,
           *                     0.416
           *                   ],
           *                   "rows": 20,
           *                   "on": "sarcasm, wrong with a certainty above .9"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.222,
           *                   "interval": [
           *                     0.149,
           *                     0.318
           *                   ],
           *                   "rows": 90,
           *                   "on": "comparison, slang, conditions, facts"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.116,
           *                   "interval": [
           *                     0.06,
           *                     0.212
           *                   ],
           *                   "rows": 69,
           *                   "on": "short texts: sentiment-simple above .6"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.064,
           *                   "interval": [
           *                     0.048,
           *                     0.085
           *                   ],
           *                   "rows": 672,
           *                   "on": "28 languages, sentiment-simple"
           *                 }
           *               ]
           *             },
           *             {
           *               "engine": "fast",
           *               "languages": [
           *                 "en"
           *               ],
           *               "scores": [
           *                 {
           *                   "metric": "accuracy",
           *                   "value": 0.685,
           *                   "interval": null,
           *                   "rows": null,
           *                   "on": "development data, on which the models were tuned"
           *                 },
           *                 {
           *                   "metric": "macro_f1",
           *                   "value": 0.678,
           *                   "interval": null,
           *                   "rows": null,
           *                   "on": "development data, on which the models were tuned"
           *                 },
           *                 {
           *                   "metric": "calibration_error",
           *                   "value": 0.016,
           *                   "interval": null,
           *                   "rows": null,
           *                   "on": "development data, on which the models were tuned"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.367,
           *                   "interval": [
           *                     0.308,
           *                     0.431
           *                   ],
           *                   "rows": 234,
           *                   "on": "negation and condition"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.57,
           *                   "interval": [
           *                     0.468,
           *                     0.666
           *                   ],
           *                   "rows": 93,
           *                   "on": "minimal pairs of these"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.367,
           *                   "interval": [
           *                     0.304,
           *                     0.434
           *                   ],
           *                   "rows": 210,
           *                   "on": "words of misleading polarity, invariances"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 1,
           *                   "interval": [
           *                     0.839,
           *                     1
           *                   ],
           *                   "rows": 20,
           *                   "on": "sarcasm"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.4,
           *                   "interval": [
           *                     0.219,
           *                     0.613
           *                   ],
           *                   "rows": 20,
           *                   "on": "sarcasm, wrong with a certainty above .9"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.362,
           *                   "interval": [
           *                     0.259,
           *                     0.48
           *                   ],
           *                   "rows": 69,
           *                   "on": "short texts: sentiment-simple above .6"
           *                 },
           *                 {
           *                   "metric": "failures",
           *                   "value": 0.71,
           *                   "interval": [
           *                     0.674,
           *                     0.743
           *                   ],
           *                   "rows": 672,
           *                   "on": "28 languages, sentiment-simple"
           *                 }
           *               ]
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Models"];
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      401: components["responses"]["Unauthenticated"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooMany"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
  getDocument: {
    parameters: {
      query?: never;
      header?: {
        /** @description ETags of bodies that you have: the answer is 304, without a body, if one of them is what you would get. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OpenAPI 3.1. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Record<string, never>;
        };
      };
      /** @description You have it: If-None-Match names its ETag. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["RequestId"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Invalid"];
      431: components["responses"]["HeadersTooLarge"];
      500: components["responses"]["Internal"];
      503: components["responses"]["Unavailable"];
    };
  };
}
