#!/usr/bin/env bash
# Makes the secrets of docker-compose.yml, a file each: bash services/deploy/compose/secrets.sh FOLDER [SETTINGS]
# What is in FOLDER stays as it is. SETTINGS is the hourglass.env of a release that had its secrets there: they are kept.
# Only its owner can enter the folder. The files can be read by the users of the containers, each of which gets its own.
set -euo pipefail

folder=${1:?name the folder for the secrets, outside of the checkout: ../hourglass-secrets}
settings=${2:-/dev/null}

# made NAME FILE: the secret of that file, or of that name in the settings, or a new one.
made() {
  local value
  if [ -e "$folder/$2" ]; then cat "$folder/$2" && return; fi
  value=$(sed -n "s/^$1=//p" "$settings" | tail -n 1)
  if [ -z "$value" ]; then value=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n'); fi
  printf %s "$value"
}

# keep FILE TEXT: writes a file that is not there.
keep() {
  if [ -e "$folder/$1" ]; then return; fi
  printf %s "$2" >"$folder/$1.new" && chmod 444 "$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"
}

mkdir -p "$folder/platforms" && chmod 700 "$folder" && chmod 755 "$folder/platforms"
for name in MONGO_PASSWORD MONGO_ROOT_PASSWORD MONGO_REPLICA_KEY RABBITMQ_PASSWORD SERVICE_SECRET SIGNING_KEY_PASSPHRASE BOOTSTRAP_PASSWORD; do
  file=$(tr '[:upper:]' '[:lower:]' <<<"$name")
  if grep -q "^${name}_FILE=." "$settings" && [ ! -e "$folder/$file" ]; then
    echo "secrets: $settings has this secret in a file: copy what ${name}_FILE names to $folder/$file, then run this again" >&2
    exit 1
  fi
  keep "$file" "$(made "$name" "$file")"
done
for file in mongo_password rabbitmq_password; do
  case $(cat "$folder/$file") in
    *[!A-Za-z0-9]*) echo "secrets: $folder/$file becomes part of a URL: use letters and digits only" >&2 && exit 1 ;;
  esac
done
keep mongodb_url "mongodb://hourglass:$(cat "$folder/mongo_password")@mongo:27017/hourglass?replicaSet=rs0"
keep amqp_url "amqp://hourglass:$(cat "$folder/rabbitmq_password")@rabbitmq:5672/"
keep rabbitmq_login "default_user = hourglass
default_pass = $(cat "$folder/rabbitmq_password")
"
echo "The secrets are in $folder. Keep a copy elsewhere. The password of the first user is in $folder/bootstrap_password."
