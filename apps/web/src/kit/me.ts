import { grantedApps, initMenus } from '@zhugong/contract/access/endpoints'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { type GroupCard, getMyInfo, type MyInfo, ownGroups, publicSettings, switchProject } from '@zhugong/contract/identity/endpoints'
import type { Endpoint, OutputFor } from '@zhugong/contract/kit/endpoint'
import { createContext, useContext, useMemo } from 'react'
import { create } from 'zustand'
import { setOperator, useGrants } from './can.tsx'
import { CallError } from './failure.ts'
import { call, keepForOffline, settingsTimeoutMs } from './http.ts'
import { findMenu, operatorsOf } from './menu.ts'
import { notify } from './notify.ts'
import { setPrefsOwner } from './prefs.ts'
import { type ActiveGroup, localKeys, readJson, scopeChanged, storeProject, takeStoredProject, writeJson } from './session.ts'
import { defaultPrimary } from './theme.ts'
import { mayLeave } from './unsaved.ts'

export type Profile = OutputFor<typeof publicSettings>

export interface MeState {
  settings: Profile | undefined
  /** State of the first load after login or start; every guarded page waits for it. */
  load: 'none' | 'running' | 'done' | 'failed'
  error: unknown
  info: MyInfo | undefined
  groups: readonly GroupCard[]
  menu: readonly MenuNode[]
  project: ActiveGroup | undefined
  primary: string
  /** Direction of the navigation that led to the current page. */
  routerStatus: 'forward' | 'back'
  /** Incremented when group or project change; kept pages are then discarded. */
  epoch: number
}

const fresh = {
  load: 'none' as const,
  error: undefined,
  info: undefined,
  groups: [],
  menu: [],
  project: undefined,
  primary: defaultPrimary,
}

export const useMe = create<MeState>(() => ({ settings: undefined, routerStatus: 'forward', epoch: 0, ...fresh }))

function showProject(project: ActiveGroup | undefined): void {
  useGrants.setState({ projectCode: project?.projectCode })
  useMe.setState({ project })
}

/** Loads the public profile; if the call is slow or fails, the built-in brand stays. */
export async function loadSettings(org?: string): Promise<void> {
  try {
    const settings = await call(publicSettings, { query: org ? { org } : {} }, { timeoutMs: settingsTimeoutMs })
    useMe.setState({ settings })
    if (settings.primaryColor) brand(settings.primaryColor)
  } catch {
    // The login page works without the profile.
  }
}

function brand(primary: string | null): void {
  const color = primary && /^#[0-9a-f]{6}$/i.test(primary) ? primary : defaultPrimary
  document.documentElement.style.setProperty('--primary', color)
  useMe.setState({ primary: color })
}

export function setMenu(menu: readonly MenuNode[], info: MyInfo): void {
  writeJson(localStorage, localKeys.menu, menu)
  const { all, byMenu } = operatorsOf(menu)
  useGrants.setState({ features: [...new Set([...info.operator, ...all])], byMenu, standing: info.standing })
  useMe.setState({ menu })
}

/**
 * Reloads the user's current rights from the server: codes, menus and the company's part. Buttons of revoked rights disappear. A change of
 * group or account, made in another tab, is handled elsewhere.
 */
export async function followRights(): Promise<void> {
  const rights = await Promise.all([call(getMyInfo), call(initMenus)]).catch((error: unknown) => {
    if (!isForeignProject(error)) throw error
  })
  if (!rights) {
    notify.warning(`您已不能查看${useMe.getState().project?.name ?? '该项目'}，已切换为全部项目`)
    setProject(undefined)
    return reload()
  }
  const [info, menu] = rights
  const before = useMe.getState()
  if (before.info?.id !== info.id || before.info.groupId !== info.groupId) return
  if (sameRights({ info: before.info, menu: before.menu }, { info, menu })) return
  setMenu(menu, info)
  useMe.setState({ info })
  markMenu(window.location.pathname)
}

/** The user has lost access to the project chosen in the header: the server refuses every call with it. */
const isForeignProject = (error: unknown): boolean =>
  useMe.getState().project !== undefined && error instanceof CallError && error.forbidden && fieldOf(error.detail) === 'group'

const fieldOf = (detail: unknown): unknown => (detail as { field?: unknown } | null | undefined)?.field

interface Rights {
  info: Pick<MyInfo, 'operator' | 'standing'>
  menu: readonly MenuNode[]
}
export const sameRights = (a: Rights, b: Rights): boolean =>
  JSON.stringify([a.info.operator, a.info.standing, a.menu]) === JSON.stringify([b.info.operator, b.info.standing, b.menu])

/** Until the user has set a password or second factor, the server refuses every other call. */
const mustFirst = (info: Pick<MyInfo, 'mustChangePassword' | 'mustSetSecondFactor'>): boolean =>
  info.mustChangePassword || info.mustSetSecondFactor

async function read(): Promise<void> {
  const kept = { offline: true }
  const rest = () => Promise.all([call(ownGroups, undefined, kept), call(initMenus, undefined, kept)])
  const before = readJson<MyInfo>(localStorage, localKeys.userInfo)
  // For a returning user all requests are sent at once: every sequential wait delays the first page.
  const ahead = before && !mustFirst(before) ? rest() : undefined
  ahead?.catch(() => undefined)
  const info = await call(getMyInfo, undefined, kept)
  const first = mustFirst(info)
  const [groups, menu] = first ? [{ list: [] }, []] : await (ahead ?? rest())
  localStorage.setItem(localKeys.groupsType, String(info.groupsType))
  writeJson(localStorage, localKeys.userInfo, info)
  writeJson(localStorage, localKeys.groups, groups.list)
  // After a login, the device must open without network as well.
  if (!before && !first)
    for (const [endpoint, data] of [
      [getMyInfo, info],
      [ownGroups, groups],
      [initMenus, menu],
    ] as const)
      keepForOffline(endpoint as Endpoint, data)
  setPrefsOwner(info.id)
  brand(info.profile.primaryColor)
  setMenu(menu, info)
  useMe.setState({ info, groups: groups.list })
  if (first) return
  // The granted apps only affect tiles and reminders, so nothing waits for this call.
  call(grantedApps)
    .then(({ apps }) => writeJson(localStorage, localKeys.category, apps))
    .catch(() => undefined)
}

let running: Promise<void> | undefined

/** Starts the first load unless it is running or done. */
export function firstLoad(): void {
  const { load } = useMe.getState()
  if (load === 'done' || running) return
  useMe.setState({ load: 'running', error: undefined })
  showProject(takeStoredProject())
  running = read()
    .catch((error: unknown) => {
      if (!isForeignProject(error)) throw error
      setProject(undefined)
      return read()
    })
    .then(() => useMe.setState({ load: 'done' }))
    .catch((error: unknown) => useMe.setState({ load: 'failed', error }))
    .finally(() => {
      running = undefined
    })
}

export function setProject(project: ActiveGroup | undefined): void {
  storeProject(project)
  showProject(project)
}

/** After a change of group or project the cached data is discarded. */
export async function reload(): Promise<void> {
  scopeChanged()
  await read()
  useMe.setState((now) => ({ epoch: now.epoch + 1 }))
}

/** Clears the state after logout, loss of the session, or on a public page. */
export function forget(): void {
  scopeChanged()
  useGrants.setState({ operator: [], features: [], byMenu: {}, standing: undefined, projectCode: undefined })
  brand(null)
  useMe.setState((now) => ({ ...fresh, epoch: now.epoch + 1 }))
}

export interface ScopeTarget {
  groupId?: string
  projectCode?: string
  projectName?: string
  makeDefault?: boolean
}

/**
 * Switches to another of the user's groups, or another project of it. Kept pages and cached data are discarded, so the user is first asked
 * about unsaved forms. False when the user stays.
 */
export async function switchScope(to: ScopeTarget): Promise<boolean> {
  if (!(await mayLeave())) return false
  const { groupId, projectCode = '*', projectName, makeDefault } = to
  await call(switchProject, { body: { projectCode, groupId: groupId || undefined, makeDefault: makeDefault || undefined } }, { group: '*' })
  setProject(projectCode === '*' ? undefined : { projectCode, name: projectName ?? projectCode })
  await reload()
  return true
}

/** The group that another tab of this browser has entered with the shared session; undefined if it is this tab's group. */
export function groupElsewhere(): string | undefined {
  const { info } = useMe.getState()
  const there = readJson<MyInfo>(localStorage, localKeys.userInfo)
  if (!info || !there || (there.groupId === info.groupId && there.id === info.id)) return undefined
  return there.groupName ?? there.name
}

/** Follows the other tab's choice: a session works for one group at a time. */
export async function followElsewhere(): Promise<void> {
  showProject(takeStoredProject())
  await reload()
}

/** Switches the session back to this tab's group; kept pages and their forms stay. The other tab follows. */
export async function holdHere(): Promise<void> {
  const { info, project, menu } = useMe.getState()
  if (!info?.groupId) return
  await call(switchProject, { body: { projectCode: '*', groupId: info.groupId } }, { group: '*' })
  localStorage.setItem(localKeys.groupsType, String(info.groupsType))
  storeProject(project)
  writeJson(localStorage, localKeys.menu, menu)
  writeJson(localStorage, localKeys.userInfo, info)
}

/** The project of a part of a page, when the header is set to all projects. */
export const ProjectOfPart = createContext<string | undefined>(undefined)

/** The project of this part of the page, else the one chosen in the header, else the project of a project group; `*` = all. */
export function useProjectCode(): string {
  const part = useContext(ProjectOfPart)
  const chosen = useMe((me) => me.project?.projectCode ?? (me.info?.groupsType === 3 ? me.info.projectCode : '*'))
  return part ?? chosen
}

/** `{projectCode}` for the scope of a list, with `*` for all. */
export function useProjectScope(): { projectCode: string } {
  const projectCode = useProjectCode()
  return useMemo(() => ({ projectCode }), [projectCode])
}

/** Group type of the active group: 0 platform, 1 government, 2 corporation, 3 project. @public */
export const useGroupType = (): number | undefined => useMe((me) => me.info?.groupsType)

/** Marks the page's menu entry as current, and stores its button codes. */
export function markMenu(path: string): string[] {
  const { menu } = useMe.getState()
  const hit = findMenu(menu, path)
  if (!hit) return []
  localStorage.setItem(localKeys.activeMenu, hit.top.id)
  localStorage.setItem(localKeys.activeAppIndex, String(menu.indexOf(hit.top)))
  localStorage.setItem(localKeys.activeSubMenu, hit.node.path ?? '')
  writeJson(localStorage, localKeys.relevance, hit.node.relevance)
  setOperator(hit.node.operator)
  return hit.trail
}
