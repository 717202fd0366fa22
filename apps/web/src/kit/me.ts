import { grantedApps, initMenus } from '@zhugong/contract/access/endpoints'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { type GroupCard, getMyInfo, type MyInfo, ownGroups, publicSettings, switchProject } from '@zhugong/contract/identity/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { createContext, useContext, useMemo } from 'react'
import { create } from 'zustand'
import { setOperator, useGrants } from './can.tsx'
import { CallError } from './failure.ts'
import { call, settingsTimeoutMs } from './http.ts'
import { findMenu, operatorsOf } from './menu.ts'
import { notify } from './notify.ts'
import { setPrefsOwner } from './prefs.ts'
import { type ActiveGroup, localKeys, readJson, scopeChanged, storeProject, takeStoredProject, writeJson } from './session.ts'
import { defaultPrimary } from './theme.ts'
import { mayLeave } from './unsaved.ts'

export type Profile = OutputFor<typeof publicSettings>

export interface MeState {
  settings: Profile | undefined
  /** The first load after a login or a start; every guarded page waits for it. */
  load: 'none' | 'running' | 'done' | 'failed'
  error: unknown
  info: MyInfo | undefined
  groups: readonly GroupCard[]
  menu: readonly MenuNode[]
  project: ActiveGroup | undefined
  primary: string
  /** How the present page was reached. */
  routerStatus: 'forward' | 'back'
  /** Grows when group or project change: kept pages go. */
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

/** The public profile; a slow or failed call leaves the built-in brand. */
export async function loadSettings(org?: string): Promise<void> {
  try {
    const settings = await call(publicSettings, { query: org ? { org } : {} }, { timeoutMs: settingsTimeoutMs })
    useMe.setState({ settings })
    if (settings.primaryColor) brand(settings.primaryColor)
  } catch {
    // The login page works without it.
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
 * What may be done now, as the server has it: codes, menus and the part of one's company. A right that was taken away takes its buttons
 * along; another group or account is another tab's doing and is asked about elsewhere.
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

/** The project that stands in the header is none of one's own any more: every call with it is refused, whatever it asks. */
const isForeignProject = (error: unknown): boolean =>
  useMe.getState().project !== undefined && error instanceof CallError && error.forbidden && fieldOf(error.detail) === 'group'

const fieldOf = (detail: unknown): unknown => (detail as { field?: unknown } | null | undefined)?.field

interface Rights {
  info: Pick<MyInfo, 'operator' | 'standing'>
  menu: readonly MenuNode[]
}
export const sameRights = (a: Rights, b: Rights): boolean =>
  JSON.stringify([a.info.operator, a.info.standing, a.menu]) === JSON.stringify([b.info.operator, b.info.standing, b.menu])

/** Before a password of one's own nothing else answers. */
const mustFirst = (info: Pick<MyInfo, 'mustChangePassword' | 'mustSetSecondFactor'>): boolean =>
  info.mustChangePassword || info.mustSetSecondFactor

async function read(): Promise<void> {
  const rest = () => Promise.all([call(ownGroups), call(initMenus)])
  const before = readJson<MyInfo>(localStorage, localKeys.userInfo)
  // Whoever was in here before is asked about all at once: each answer that is waited for is seen on a page that is opened anew.
  const ahead = before && !mustFirst(before) ? rest() : undefined
  ahead?.catch(() => undefined)
  const info = await call(getMyInfo)
  const first = mustFirst(info)
  const [groups, menu] = first ? [{ list: [] }, []] : await (ahead ?? rest())
  localStorage.setItem(localKeys.groupsType, String(info.groupsType))
  writeJson(localStorage, localKeys.userInfo, info)
  writeJson(localStorage, localKeys.groups, groups.list)
  setPrefsOwner(info.id)
  brand(info.profile.primaryColor)
  setMenu(menu, info)
  useMe.setState({ info, groups: groups.list })
  if (first) return
  // Which apps were granted only paints tiles and reminders: nobody waits for it.
  call(grantedApps)
    .then(({ apps }) => writeJson(localStorage, localKeys.category, apps))
    .catch(() => undefined)
}

let running: Promise<void> | undefined

/** Starts the first load unless it runs or is done. */
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

/** Another group or project: what was read belongs to the old one. */
export async function reload(): Promise<void> {
  scopeChanged()
  await read()
  useMe.setState((now) => ({ epoch: now.epoch + 1 }))
}

/** Logout, loss of the session, a public page. */
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
 * Works for another of one's groups, or another project of it. Kept pages and read data of the old one go, so forms that were not
 * sent are asked about first, wherever the wish came from: false when the user stays.
 */
export async function switchScope(to: ScopeTarget): Promise<boolean> {
  if (!(await mayLeave())) return false
  const { groupId, projectCode = '*', projectName, makeDefault } = to
  await call(switchProject, { body: { projectCode, groupId: groupId || undefined, makeDefault: makeDefault || undefined } }, { group: '*' })
  setProject(projectCode === '*' ? undefined : { projectCode, name: projectName ?? projectCode })
  await reload()
  return true
}

/** The group another tab of this browser has entered with the shared session; undefined while it is this tab's own. */
export function groupElsewhere(): string | undefined {
  const { info } = useMe.getState()
  const there = readJson<MyInfo>(localStorage, localKeys.userInfo)
  if (!info || !there || (there.groupId === info.groupId && there.id === info.id)) return undefined
  return there.groupName ?? there.name
}

/** Shows what the other tab has chosen: a session works for one group at a time. */
export async function followElsewhere(): Promise<void> {
  showProject(takeStoredProject())
  await reload()
}

/** Takes the session back for what this tab shows, kept pages and their forms untouched; the other tab follows. */
export async function holdHere(): Promise<void> {
  const { info, project, menu } = useMe.getState()
  if (!info?.groupId) return
  await call(switchProject, { body: { projectCode: '*', groupId: info.groupId } }, { group: '*' })
  localStorage.setItem(localKeys.groupsType, String(info.groupsType))
  storeProject(project)
  writeJson(localStorage, localKeys.menu, menu)
  writeJson(localStorage, localKeys.userInfo, info)
}

/** The project a part of a page is of, where the header stands on all of them. */
export const ProjectOfPart = createContext<string | undefined>(undefined)

/** The project of this part of the page, else the one chosen in the header or the one a project group is about; `*` = all. */
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

/** Marks where in the menu a page stands, and stores what goes with it. */
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
