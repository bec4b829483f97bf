#!/bin/sh
# Makes the secrets of compose.yaml, once. Keep the folder as safe as your data: without `exchange_keyring`
# no stored key of an endpoint opens again.
#
# The folder is closed to others. The files in it are not, since each is read by another user in its container.
set -eu
folder=${1:-$(dirname "$0")/secrets}
if [ -e "$folder" ]; then
	echo "$folder is there already; nothing is changed." >&2
	exit 0
fi
umask 022
making=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$making"' EXIT

random() { od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }
secret() { printf '%s\n' "$2" > "$making/$1"; }

administrator=$(random 24) owner=$(random 24) application=$(random 24) doorbell=$(random 24)
key=$(random 10) key_secret=$(random 20)

secret postgres_password "$administrator"
secret database_admin_url "postgresql://postgres:$administrator@postgres:5432/postgres"
secret database_owner_url "postgresql://exchange_owner:$owner@postgres:5432/exchange"
secret database_url "postgresql://exchange_app:$application@postgres:5432/exchange"
secret valkey_conf "requirepass $doorbell
save \"\"
appendonly no"
secret redis_url "redis://:$doorbell@valkey:6379/0"
secret s3_json "{\"identities\": [{\"name\": \"exchange\", \"actions\": [\"Admin\"], \"credentials\":
[{\"accessKey\": \"$key\", \"secretKey\": \"$key_secret\"}]}]}"
secret aws_credentials "[default]
aws_access_key_id = $key
aws_secret_access_key = $key_secret"
secret exchange_secret_key "$(random 40)"
secret exchange_keyring "{\"first\": \"$(head -c 32 /dev/urandom | base64)\"}"
secret exchange_metrics_token "$(random 24)"
secret exchange_email_url "smtp://mail:1025"

mv "$making" "$folder"
trap - EXIT
echo "Made $folder. Letters stay in the mail service until exchange_email_url there names your mail server."
