import { availableParallelism, totalmem } from 'node:os'

export type Settings = Record<string, string>

const MB = 1024 * 1024

/** Default settings for a machine on site: leave much memory to the page cache and Node, and trade no durability for speed. */
export function defaultSettings(memoryBytes = constrainedMemory(), cores = availableParallelism()): Settings {
  const share = (part: number, mostMb: number) => `${Math.max(16, Math.min(mostMb, Math.floor((memoryBytes * part) / MB)))}MB`
  return {
    shared_buffers: share(1 / 8, 512),
    effective_cache_size: share(1 / 2, 65_536),
    maintenance_work_mem: share(1 / 32, 256),
    work_mem: share(1 / 512, 16),
    max_connections: '200',
    // Telemetry has day partitions: a query over a month locks each of them and its index.
    max_locks_per_transaction: '256',
    max_parallel_workers: String(cores),
    max_parallel_workers_per_gather: String(Math.min(2, Math.max(1, cores - 1))),

    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_compression: 'on',
    min_wal_size: '256MB',
    max_wal_size: '4GB',
    checkpoint_timeout: '10min',

    random_page_cost: '1.1',
    jit: 'off',
    TimeZone: 'Asia/Shanghai',
    log_timezone: 'Asia/Shanghai',
    lc_messages: 'C',
    // A dead session inside a transaction must not hold back vacuum for days.
    idle_in_transaction_session_timeout: '10min',

    log_line_prefix: '%m [%p] %q%u@%d ',
    log_min_duration_statement: '2s',
    log_checkpoints: 'off',
    log_lock_waits: 'on',
    // Parameters and error details contain names and identity numbers: keep them out of the log.
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_error_verbosity: 'terse',
  }
}

/** Memory limit of the container, otherwise the memory of the machine, in bytes. */
function constrainedMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

export function configurationFile(settings: Settings): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
  return [
    '# Written anew at every start. Put your own settings into local.conf beside this file; they win.',
    ...lines,
    "include = 'local.conf'",
    '',
  ].join('\n')
}

/** Contents of pg_hba.conf. No passwords: the server listens only on a Unix socket in a folder that only its account and root can enter. */
export const accessFile = ['local all all trust', 'local replication all trust', ''].join('\n')
