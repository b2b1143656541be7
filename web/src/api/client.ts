// The one way to the program's API: typed by its documents, failing with words a person can use.
import createClient from 'openapi-fetch';
import type { paths as AccountPaths } from './generated/account';
import type { paths as KeywordPaths } from './generated/keyword';
import type { paths as LocalPaths } from './generated/local';
import type { paths as MapPaths } from './generated/map-rank-tracker';
import { send } from './send';

const area = <Paths extends {}>(prefix: string) => createClient<Paths>({ baseUrl: location.origin + prefix, fetch: send });

export const account = area<AccountPaths>('/_api/apis/v4/account/v1');
export const local = area<LocalPaths>('/_api/apis/v4/local/v1');
export const maps = area<MapPaths>('/_api/apis/v4/map-rank-tracker/v0');
export const keyword = area<KeywordPaths>('/_api/v3');

export interface Problem {
  field?: string;
  message: string;
}

export class ApiError extends Error {
  readonly status: number; // 0 when the program was not reached
  readonly problems: Problem[];
  readonly retryAfter: number; // seconds; 0 when not told
  readonly requestId: string;

  constructor(status: number, message: string, problems: Problem[] = [], retryAfter = 0, requestId = '') {
    super(message);
    this.status = status;
    this.problems = problems;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }

  /** What is wrong with a field of the request. */
  of(field: string): string {
    return this.problems.filter((p) => p.field === field).map((p) => p.message).join(' ');
  }
}

/** Whatever was thrown, as a failure that can be shown. */
export function failure(thrown: unknown): ApiError {
  return thrown instanceof ApiError ? thrown : new ApiError(0, thrown instanceof Error ? thrown.message : String(thrown));
}

interface Result<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The whole body of an answer: area C has no envelope, and lists of area A tell their total beside the data. */
export async function body<T>(call: Promise<Result<T>>): Promise<T> {
  let result: Result<T>;
  try {
    result = await call;
  } catch (error) {
    if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError')) throw error;
    throw new ApiError(0, 'The server does not answer. Nothing was changed; try again when it is back.');
  }
  if (!result.response.ok) throw refusal(result.response, result.error);
  return result.data as T;
}

/** The data of an answer in an envelope. */
export async function data<D>(call: Promise<Result<{ data: D }>>): Promise<D> {
  return (await body(call)).data;
}

interface Refusal {
  error?: { message?: string; details?: Problem[]; errors?: string[] };
}

function refusal(response: Response, said: unknown): ApiError {
  const error = (typeof said === 'object' && said !== null ? (said as Refusal).error : undefined) ?? {};
  const problems = error.details ?? (error.errors ?? []).map(fromText);
  return new ApiError(
    response.status,
    error.message ?? `The server answered ${response.status}.`,
    problems,
    Number(response.headers.get('Retry-After') ?? 0),
    response.headers.get('X-Request-Id') ?? '',
  );
}

// Area C writes "field: what is wrong", or a sentence that begins with the field.
function fromText(text: string): Problem {
  const [, field, colon, rest] = /^([a-z_]\w*(?:[.[]\w+\]?)*)(:?) (.*)$/.exec(text) ?? [];
  if (!field || !rest) return { message: text };
  return { field, message: colon ? rest : text };
}
