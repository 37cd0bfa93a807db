// Health check of MongoDB in docker-compose.yml. At the first start it creates the replica set and its two users, which mongod
// allows from localhost while there are none. The user hourglass may read and write only its own database.
const admin = db.getSiblingDB("admin");
if (!db.hello().setName) rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "mongo:27017" }] });
if (!db.hello().isWritablePrimary) quit(1);
const secret = (name) => require("fs").readFileSync(`/run/secrets/${name}`, "utf8").trim();
const [root, own] = [secret("mongo_root_password"), secret("mongo_password")];
try {
  admin.auth("root", root);
} catch {
  admin.createUser({ user: "root", pwd: root, roles: ["root"] });
  admin.auth("root", root);
}
const ours = db.getSiblingDB("hourglass");
if (!ours.getUser("hourglass")) ours.createUser({ user: "hourglass", pwd: own, roles: ["readWrite"] });
