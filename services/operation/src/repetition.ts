export { repeat, type Repetition, type Stoppable } from "@hourglass/runtime";
