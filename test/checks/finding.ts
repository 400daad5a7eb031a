/** Something that a check found wrong. Lines count from 1; 0 means the file as a whole. */
export interface Finding {
  file: string;
  line: number;
  message: string;
}

export const describeFinding = ({ file, line, message }: Finding): string =>
  `${file}${line > 0 ? `:${line}` : ""}: ${message}`;
