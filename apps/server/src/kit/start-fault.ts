import { accessSync, constants, mkdirSync } from 'node:fs'

/** Exit code of a program that is configured wrongly: a restart would fail the same way. */
export const misconfigured = 2

/** The ports that the product opens, keyed by environment variable. */
export type NamedPorts = Readonly<Record<string, number>>

interface SystemError {
  code?: unknown
  syscall?: unknown
  address?: unknown
  hostname?: unknown
  port?: unknown
  path?: unknown
  message?: unknown
  errors?: unknown
}

const databaseTroubles: Readonly<Record<string, string>> = {
  ECONNREFUSED: '对方拒绝连接，请确认数据库已启动、地址和端口正确',
  ENOTFOUND: '主机名无法解析',
  EAI_AGAIN: '主机名暂时无法解析',
  ETIMEDOUT: '连接超时，请检查地址、端口和防火墙',
  EHOSTUNREACH: '地址不可达',
  ENETUNREACH: '网络不可达',
  ENOENT: '数据库的套接字不存在，请确认数据库已启动',
  '28P01': '密码不正确',
  '28000': '账号不存在或不允许登录',
  '3D000': '数据库不存在',
  '57P03': '数据库正在启动或停止',
  '53300': '数据库的连接数已满',
}

const folderTroubles: Readonly<Record<string, string>> = {
  EROFS: '所在文件系统只读',
  EACCES: '没有写入权限',
  EPERM: '没有写入权限',
  EEXIST: '同名的文件占着这个位置',
  ENOENT: '上级文件夹不存在',
  ENOTDIR: '路径中有一段是文件，不是文件夹',
  ENOSPC: '磁盘空间已满',
}

/**
 * Describes a start failure caused by the environment (port, folder, database) in one line of Chinese. Undefined for other errors, which
 * need a stack trace. `isLasting`: a retry cannot help.
 */
export function startFaultOf(error: unknown, ports: NamedPorts = {}): { text: string; isLasting: boolean } | undefined {
  const [fault] = Array.isArray((error as SystemError)?.errors) ? (error as { errors: SystemError[] }).errors : [error as SystemError]
  const code = typeof fault?.code === 'string' ? fault.code : ''
  if (fault?.syscall === 'listen' || fault?.syscall === 'bind') return { text: listenTrouble(fault, code, ports), isLasting: true }
  const isFile = typeof fault?.path === 'string' && fault.syscall !== 'connect'
  if (isFile && folderTroubles[code]) return { text: `数据目录 ${String(fault.path)} 不能使用：${folderTroubles[code]}`, isLasting: true }
  const trouble = databaseTroubles[code] ?? (/timeout|terminated/i.test(String(fault?.message)) ? '连接超时' : undefined)
  if (!trouble) return undefined
  // An unreachable database may come back, so the supervisor restarts a process that ends with this error.
  return { text: `数据库无法连接${placeOf(fault)}：${trouble}（DATABASE_URL、DATABASE_OWNER_URL）`, isLasting: false }
}

function listenTrouble(fault: SystemError, code: string, ports: NamedPorts): string {
  const { port } = fault
  const [name] = Object.entries(ports).find(([, value]) => value === port) ?? []
  const where = port === undefined || port === -1 ? String(fault.address) : `端口 ${String(port)}`
  const change = name ? `用环境变量 ${name} 换一个端口` : '换一个端口'
  if (code === 'EADDRINUSE') return `${where} 已被占用：请停掉占用它的程序，或${change}`
  if (code === 'EACCES') return `${where} 没有权限监听：请${change}，或授予权限`
  if (code === 'EADDRNOTAVAIL') return `地址 ${String(fault.address)} 不是本机的：请修改 HOST`
  return `${where} 无法监听（${code}）`
}

function placeOf(fault: SystemError | undefined): string {
  const host = fault?.address ?? fault?.hostname
  if (host === undefined) return ''
  return ` ${String(host)}${typeof fault?.port === 'number' ? `:${fault.port}` : ''}`
}

/**
 * Creates the data folder and checks at once that it can be written.
 * @throws a system error that `startFaultOf` describes
 */
export function requireFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o750 })
  accessSync(folder, constants.W_OK | constants.X_OK)
}
