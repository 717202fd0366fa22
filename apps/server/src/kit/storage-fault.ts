/** Error codes of a disk that cannot be written: full, over its quota, read-only, or without permission. */
const codes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'])

/** Whether a file could not be written for lack of space or permission. */
export const isStorageFault = (error: unknown): boolean => {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  // Only file operations: sockets may fail with the same codes.
  return typeof code === 'string' && codes.has(code) && typeof syscall === 'string' && fileCalls.has(syscall)
}
const fileCalls: ReadonlySet<string> = new Set([
  'open',
  'write',
  'mkdir',
  'rename',
  'unlink',
  'rm',
  'close',
  'fsync',
  'copyfile',
  'ftruncate',
])

export const storageFullText = '平台的文件存储空间已满或不可写入，文件没有保存，请联系平台运维人员处理后重试'
