import { embeddedTestStorage } from "../../support/test-storage.js";
import { rechecksCrash } from "../rechecks-crash/suite.js";

rechecksCrash(embeddedTestStorage);
