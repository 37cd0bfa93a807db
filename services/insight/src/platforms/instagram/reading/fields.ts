const FIELDS = ["id", "caption", "media_type", "media_url", "permalink", "timestamp", "like_count", "comments_count"];

/** The fields of media that are known by a hashtag. */
export const HASHTAG_FIELDS = [...FIELDS, "children{media_type,media_url}"].join(",");

/** The fields of media of an account, which states more. */
export const ACCOUNT_FIELDS = [...FIELDS, "media_product_type", "view_count", "children{id,media_type,media_url}"].join(
  ",",
);

/** Media of one request. */
export const MEDIA_MAX = 50;
