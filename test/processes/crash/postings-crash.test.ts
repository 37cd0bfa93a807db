import { embeddedTestStorage } from "../../support/test-storage.js";
import { postingsCrash } from "../postings-crash/suite.js";

postingsCrash(embeddedTestStorage);
