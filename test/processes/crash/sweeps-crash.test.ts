import { embeddedTestStorage } from "../../support/test-storage.js";
import { sweepsCrash } from "../sweeps-crash/suite.js";

sweepsCrash(embeddedTestStorage);
