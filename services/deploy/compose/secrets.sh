#!/usr/bin/env bash
# Makes the secrets of docker-compose.yml, a file each: bash services/deploy/compose/secrets.sh FOLDER
# What is in FOLDER stays as it is.
# Only its owner can enter the folder. The files can be read by the users of the containers, each of which gets its own.
set -euo pipefail

folder=${1:?name the folder for the secrets, outside of the checkout: ../hourglass-secrets}

# keep FILE TEXT: writes a file that is not there.
keep() {
  if [ -e "$folder/$1" ]; then return; fi
  printf %s "$2" >"$folder/$1.new" && chmod 444 "$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"
}

mkdir -p "$folder/platforms" && chmod 700 "$folder" && chmod 755 "$folder/platforms"
for file in mongo_password mongo_root_password mongo_replica_key rabbitmq_password service_secret signing_key_passphrase bootstrap_password; do
  keep "$file" "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
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
