import { dataStates, grantLevels } from '@zhugong/contract/documents/moves'
import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { Pdf } from '#kit/pdf'
import { type Actor, actorsOf } from './actors.ts'
import { binEntries, type FilePlan, type FolderPlan, ownFiles, siteFolders } from './documents-plan.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { insertAll } from './seed-trade.ts'

const hour = 3_600_000
const minute = 60_000
type Document = Insertable<Tables['document']>

/** The documents of one site and of its manager, with versions, a closed folder, looks and a bin. */
export async function seedDocuments(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const actors = await actorsOf(tx)
  const projectCode = city.personas.find((one) => one.account === 'hospital-pm')?.projectCode
  const by = (who: string) => actors.of(`hospital-${who}`)
  const manager = by('pm')
  if (!projectCode || !manager) return
  const contents = await drawContents(projectCode, folder, city)
  const made = new Making(city, now, projectCode, manager.groupId, contents, by)
  for (const plan of siteFolders) made.folder(plan, rootOf(projectCode))
  const own = { ...rootOf(projectCode), projectCode: null, homeUser: manager.id, place: `own ${manager.groupId} ${manager.id}` }
  for (const plan of ownFiles) made.file(plan, own)
  for (const plan of binEntries) made.deleted(plan)
  await insertAll(tx, 'storedFile', made.files)
  await insertAll(tx, 'document', made.documents)
  await insertAll(tx, 'documentVersion', made.versions)
  await insertAll(tx, 'documentGrant', made.grants)
  await insertAll(tx, 'documentLook', made.looks)
  await insertAll(tx, 'documentStar', made.stars)
}

interface Contents {
  pdf: Drawn
  png: Drawn
}
async function drawContents(projectCode: string, folder: string, city: City): Promise<Contents> {
  const pdf = new Pdf({ title: '演示资料', foot: '演示数据' })
  pdf.paragraph('这是演示用的文件，内容为示意。')
  const file = (name: string) => ({ id: idOf(city.seed, 'documentContent', name), name })
  const picture = { ...file('演示图.png'), mime: 'image/png' as const, kind: 'licence' as const, title: '演示图', lines: ['演示数据'] }
  return {
    pdf: await keepFile(folder, projectCode, { ...file('演示资料.pdf'), mime: 'application/pdf' }, await pdf.bytes()),
    png: await keepFile(folder, projectCode, picture, drawFile(picture)),
  }
}

interface Spot {
  projectCode: string | null
  homeUser: string | null
  parentId: string | null
  place: string
  path: string
  ancestors: string[]
  gates: string[]
}
const rootOf = (projectCode: string): Spot => ({
  projectCode,
  homeUser: null,
  parentId: null,
  place: `project ${projectCode}`,
  path: '',
  ancestors: [],
  gates: [],
})

class Making {
  readonly documents: Document[] = []
  readonly versions: Insertable<Tables['documentVersion']>[] = []
  readonly grants: Insertable<Tables['documentGrant']>[] = []
  readonly looks: Insertable<Tables['documentLook']>[] = []
  readonly stars: Insertable<Tables['documentStar']>[] = []
  readonly files: Insertable<Tables['storedFile']>[] = []
  private readonly spots = new Map<string, Spot>()
  private readonly city: City
  private readonly now: number
  private readonly projectCode: string
  private readonly groupId: string
  private readonly contents: Contents
  private readonly by: (who: string) => Actor | undefined

  constructor(city: City, now: number, projectCode: string, groupId: string, contents: Contents, by: (who: string) => Actor | undefined) {
    this.city = city
    this.now = now
    this.projectCode = projectCode
    this.groupId = groupId
    this.contents = contents
    this.by = by
  }

  folder(plan: FolderPlan, spot: Spot): void {
    const id = idOf(this.city.seed, 'document', spot.place, plan.name)
    const owner = this.actor('officer')
    const gates = plan.only ? [...spot.gates, id] : spot.gates
    this.documents.push({
      ...this.base(id, plan.name, owner, this.daysAgo(150), { ...spot, gates }),
      isDir: true,
      fileId: null,
      mime: null,
    })
    for (const [account, level] of plan.only ?? []) this.grant(id, this.actor(account), level)
    if (plan.only) this.grant(id, owner, grantLevels.manage)
    const path = spot.path ? `${spot.path}/${plan.name}` : plan.name
    const inside = { ...spot, parentId: id, place: id, path, ancestors: [...spot.ancestors, id], gates }
    this.spots.set(path, inside)
    for (const one of plan.folders ?? []) this.folder(one, inside)
    for (const one of plan.files ?? []) this.file(one, inside)
  }

  file(plan: FilePlan, spot: Spot): Document {
    const id = idOf(this.city.seed, 'document', spot.place, plan.name)
    const owner = this.actor(plan.by)
    const count = plan.versions ?? 1
    const closed = plan.security === '3'
    const at = (no: number) => this.daysAgo(plan.age + (count - no) * 6)
    const content = plan.name.endsWith('.png') ? this.contents.png : this.contents.pdf
    const fileIds = Array.from({ length: count }, (_, i) => idOf(id, 'file', String(i + 1)))
    for (const [i, fileId] of fileIds.entries()) {
      this.files.push({
        id: fileId,
        projectCode: null,
        groupId: '',
        name: plan.name,
        mime: content.mime,
        bytes: content.bytes,
        sha256: content.sha256,
        createBy: owner.id,
        source: 'document',
      })
      this.versions.push({
        id: idOf(id, 'version', String(i + 1)),
        documentId: id,
        no: i + 1,
        fileId,
        name: plan.name,
        mime: content.mime,
        size: content.bytes,
        fromNo: null,
        byId: owner.id,
        byName: owner.name,
        at: at(i + 1),
      })
    }
    if (closed) {
      this.grant(id, owner, grantLevels.manage)
      this.grant(id, this.actor('officer'), grantLevels.view)
    }
    const row: Document = {
      ...this.base(id, plan.name, owner, at(1), { ...spot, gates: closed ? [...spot.gates, id] : spot.gates }),
      isDir: false,
      fileId: fileIds.at(-1) ?? null,
      mime: content.mime,
      size: content.bytes,
      versionNo: count,
      security: plan.security ?? '2',
      version: count - 1,
      updateTime: at(count),
      ...(plan.archived ? { category: plan.archived, dataState: dataStates.archived, archivedAt: this.daysAgo(plan.age - 1) } : {}),
    }
    this.documents.push(row)
    if (count > 1) {
      const reader = this.actor('pm')
      this.stars.push({ userId: reader.id, documentId: id, at: this.daysAgo(1) })
      for (const [i, what] of (['view', 'download'] as const).entries())
        this.looks.push({
          id: idOf(id, 'look', what),
          documentId: id,
          what,
          versionNo: count,
          byId: reader.id,
          byName: reader.name,
          groupName: reader.groupName,
          at: new Date(Math.max(this.daysAgo(2).getTime() + i * 20 * minute, 0)),
        })
    }
    return row
  }

  deleted({ name, path, by, age, files }: (typeof binEntries)[number]): void {
    const spot = this.spots.get(path) ?? rootOf(this.projectCode)
    const actor = this.actor(by)
    // Not to the hour: an entry with a day left still has some hours of it.
    const gone = { deletedAt: new Date(this.now - age * 24 * hour - 4 * hour), deletedBy: actor.id, deletedByName: actor.name }
    if (!files) {
      const row = this.file({ name, age: age + 5, by }, spot)
      Object.assign(row, gone, { binId: row.id, binCount: 1, binBytes: row.size })
      return
    }
    const before = this.documents.length
    this.folder({ name, files: Array.from({ length: files }, (_, i) => ({ name: `旧图-${i + 1}.pdf`, age: age + 60, by })) }, spot)
    const rows = this.documents.slice(before)
    const [top] = rows
    for (const row of rows) Object.assign(row, gone, { binId: top?.id })
    if (top) Object.assign(top, { binCount: rows.length, binBytes: rows.reduce((sum, one) => sum + Number(one.size ?? 0), 0) })
  }

  private base(id: string, name: string, owner: Actor, at: Date, spot: Spot): Omit<Document, 'isDir' | 'fileId' | 'mime'> {
    return {
      id,
      groupId: spot.projectCode === null ? this.groupId : owner.groupId,
      ...spot,
      name,
      ownerId: owner.id,
      ownerName: owner.name,
      archivedAt: null,
      deletedAt: null,
      deletedBy: null,
      deletedByName: null,
      binId: null,
      binCount: null,
      binBytes: null,
      createBy: owner.id,
      createTime: at,
      updateBy: owner.id,
      updateTime: at,
    }
  }

  private grant(documentId: string, { id: userId, name }: Actor, level: number): void {
    if (this.grants.some((one) => one.documentId === documentId && one.userId === userId)) return
    this.grants.push({ id: idOf(documentId, 'grant', userId), documentId, userId, roleId: null, name, level })
  }

  private actor(who: string): Actor {
    const actor = this.by(who) ?? this.by('pm')
    if (!actor) throw new Error(`nobody is called hospital-${who}`)
    return actor
  }

  /** A working hour of that day. */
  private readonly daysAgo = (days: number): Date => new Date(startOfDay(addDays(formatDay(this.now), -Math.max(1, days))) + 15 * hour)
}
