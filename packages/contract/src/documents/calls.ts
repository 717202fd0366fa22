import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { codesOfMoves, moveBody, rightsOfMoves } from '../kit/process.ts'
import { documentMoves, mostVersions, mostZipped, securityCodes } from './moves.ts'
import { documentName } from './names.ts'

const path = '/api/v1/oa/process/document'
const view = 'documents.view'

/** Where documents are looked for: one's own, those of the projects, what others share, what one opened last, what one marked. */
export const spaces = { own: '我的文档', project: '项目文档', shared: '共享给我', recent: '最近使用', starred: '收藏' } as const
export type Space = keyof typeof spaces
const space = z.enum(Object.keys(spaces) as [Space, ...Space[]])
const root = z.enum(['own', 'project'])

export const documentRow = z.object({
  id: z.string(),
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  parentId: z.string().nullable(),
  name: z.string(),
  /** Names of its folders, the root first. */
  path: z.string(),
  isDir: z.boolean(),
  versionNo: z.number().int(),
  security: z.string(),
  securityName: z.string(),
  category: z.string(),
  categoryName: z.string(),
  size: z.number(),
  mime: z.string().nullable(),
  ownerName: z.string(),
  mine: z.boolean(),
  updateTime: z.string(),
  /** Names of whom it is shared to; empty: as its folder. */
  shareTo: z.array(z.string()),
  /** Some folder above it, or itself, lets in only whom it names. */
  closed: z.boolean(),
  starred: z.boolean(),
  dataState: z.string(),
  dataStateName: z.string(),
  /** What the caller may do with it now. */
  actions: z.array(z.string()),
  /** Why it cannot be deleted by anybody; null: it can. */
  kept: z.string().nullable(),
  version: z.number().int(),
})
export type DocumentRow = z.output<typeof documentRow>

const quota = z.object({ used: z.number(), most: z.number() })
const crumb = z.object({ id: z.string(), name: z.string() })

export const listDocuments = endpoint({
  method: 'GET',
  path,
  summary: '文档列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    space: space.default('own'),
    /** The folder; without it the root of the space. */
    parentId: pointsTo('document', text(64)).optional(),
    /** In names and paths of all folders of the space. */
    keyword: text(100).optional(),
    name: text(100).optional(),
    owner: text(50).optional(),
    security: several.optional(),
    category: several.optional(),
    updateTime: dayRange.optional(),
    sort: sortBy('name', 'size', 'updateTime'),
  }),
  response: paged(documentRow).extend({
    trail: z.array(crumb),
    /** What may be added to the folder shown: `folder`, `upload`. */
    adds: z.array(z.string()),
    quota,
  }),
})

export const documentList = listOf(listDocuments, {
  feature: 'document',
  columns: {
    name: '名称',
    path: '位置',
    versionNo: '版本',
    security: '密级',
    category: '类别',
    size: '大小',
    owner: '上传人',
    updateTime: '更新时间',
    shareTo: '共享',
    dataState: '状态',
  },
})

const treeFolder = z.object({ id: z.string(), parentId: z.string().nullable(), name: z.string(), adds: z.boolean() })
export type TreeFolder = z.output<typeof treeFolder>

/** The folders of a root, for the tree and the choice of a place; with `*` the projects that may have one. */
export const listDocumentFolders = endpoint({
  method: 'GET',
  path: `${path}/folders`,
  summary: '文档目录树',
  needs: view,
  answers: 'object',
  query: ofProject.extend({ space: root.default('own') }),
  response: z.object({
    folders: z.array(treeFolder),
    /** There are more folders than the tree shows. */
    more: z.boolean(),
    projects: z.array(z.object({ projectCode: z.string(), name: z.string() })),
  }),
})

const version = z.object({
  no: z.number().int(),
  name: z.string(),
  size: z.number(),
  byName: z.string(),
  at: z.string(),
  /** The version that was made current by this one. */
  fromNo: z.number().int().nullable(),
  current: z.boolean(),
})
const grant = z.object({
  kind: z.enum(['user', 'role']),
  id: z.string(),
  name: z.string(),
  level: z.number().int(),
  levelName: z.string(),
})
export type Grant = z.output<typeof grant>

export const documentDetail = documentRow.extend({
  createTime: z.string(),
  versions: z.array(version),
  grants: z.array(grant),
  /** Who looked at it last; for whoever manages it, otherwise empty. */
  looks: z.array(z.object({ id: z.string(), byName: z.string(), groupName: z.string(), label: z.string(), at: z.string() })),
  lookCount: z.number().int(),
})
export type DocumentDetail = z.output<typeof documentDetail>

const one = z.object({ id: ref('document') })
const newId = z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')
const made = z.object({ id: z.string(), version: z.number().int() })

export const getDocument = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '文档详情',
  needs: view,
  params: one,
  query: ofProject,
  response: documentDetail,
})

/** Persons and roles to whom a document can be shared: those that see its place, within what its folders grant. */
export const documentGrantees = endpoint({
  method: 'GET',
  path: `${path}/:id/grantees`,
  summary: '文档可共享对象',
  needs: 'documents.share',
  params: one,
  query: ofProject,
  response: z.object({
    list: z.array(z.object({ kind: z.enum(['user', 'role']), id: z.string(), name: z.string(), groupName: z.string() })),
  }),
})

const place = {
  space: root,
  parentId: pointsTo('document', text(64).nullable()).default(null),
}

export const createDocumentFolder = endpoint({
  method: 'POST',
  path: `${path}/folders`,
  summary: '新建文件夹',
  needs: 'documents.upload',
  acts: 'own',
  query: ofProject,
  body: z.object({ id: pointsTo('document', newId), name: documentName, ...place }),
  response: made,
})

/**
 * Adds an uploaded file to a folder. A taken name is refused with what stands there (`taken`), unless the caller says what to do: `version`
 * with the `version` of the document that it replaces, or `both`.
 */
export const createDocument = endpoint({
  method: 'POST',
  path,
  summary: '新增文档',
  needs: 'documents.upload',
  acts: 'own',
  perMinute: 600,
  query: ofProject,
  body: z.object({
    id: pointsTo('document', newId),
    name: documentName,
    /** Of the upload call: address or id. */
    fileId: pointsTo('file', filled(200, '文件')),
    security: z.enum(securityCodes).default('2'),
    onTaken: z.enum(['ask', 'version', 'both']).default('ask'),
    version: z.number().int().optional(),
    ...place,
  }),
  response: made.extend({ name: z.string(), versionNo: z.number().int() }),
})

export const changeDocument = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改文档',
  description: '按 action 办理：rename、move、newVersion、current、share、security、archive、restore；version 为读取时的版本。',
  needs: codesOfMoves(documentMoves),
  acts: 'own',
  actions: rightsOfMoves(documentMoves),
  params: one,
  query: ofProject,
  body: moveBody(documentMoves, {}),
  response: made,
})

/** Puts a document, or a folder with its content, into the recycle bin. */
export const removeDocument = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除文档',
  needs: 'documents.delete',
  acts: 'own',
  params: one,
  query: ofProject.extend({ version: z.coerce.number().int().optional() }),
})

/** Marks a document for oneself, or takes the mark away. */
export const starDocument = endpoint({
  method: 'PUT',
  path: `${path}/:id/star`,
  summary: '收藏文档',
  needs: view,
  acts: 'aside',
  params: one,
  query: ofProject,
  body: z.object({ starred: z.boolean() }),
})

export const lookKinds = { view: '查看', download: '下载', print: '打印' } as const
/** Gives the address of a document's file, and keeps who asked for it. */
export const openDocument = endpoint({
  method: 'POST',
  path: `${path}/:id/open`,
  summary: '查看或下载文档',
  needs: view,
  acts: 'aside',
  perMinute: 120,
  params: one,
  query: ofProject,
  body: z.object({
    what: z.enum(['view', 'download', 'print']).default('view'),
    no: z.number().int().min(1).max(mostVersions, '没有这个版本').optional(),
  }),
  response: z.object({
    url: z.string(),
    name: z.string(),
    mime: z.string(),
    /** How the page shows it; null: it can only be downloaded. */
    preview: z.enum(['image', 'pdf', 'video']).nullable(),
    /** Laid over the preview of a restricted document. */
    watermark: z.string().nullable(),
  }),
})

/** Several documents, and folders with their content, as one archive. */
export const zipDocuments = endpoint({
  method: 'GET',
  path: `${path}/zip`,
  summary: '打包下载文档',
  needs: view,
  answers: 'blob',
  perMinute: 10,
  query: ofProject.extend({
    ids: pointsTo(
      'document',
      several.refine((ids) => ids.length > 0 && ids.length <= mostZipped, `一次打包 1 至 ${mostZipped} 个`),
    ),
  }),
})
