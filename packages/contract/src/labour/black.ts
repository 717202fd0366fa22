import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, idNumberText, ofProject, ref, text } from '../kit/fields.ts'
import { dict } from '../settings/dict-field.ts'
import { blackMoves } from './black-codes.ts'
import { blackDetail, companyBlackBody, companyBlackEdit, laborBlackBody, laborBlackEdit, reachFields } from './black-model.ts'
import { fileRefs } from './model.ts'

const id = z.object({ id: ref('black') })

export const getLaborBlack = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/laborBlack/:id',
  summary: '工人黑名单详情',
  needs: 'labour.view',
  params: id,
  query: ofProject,
  response: blackDetail,
})

export const getCompanyBlack = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/companyBlack/:id',
  summary: '企业黑名单详情',
  needs: 'labour.view',
  params: id,
  query: ofProject,
  response: blackDetail,
})

const proposed = z.object({ id: z.string() })

/** Whom one may list for which scope follows from the group: a site for itself and its contractor, a company for its own, an authority for its area. */
export const createLaborBlack = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/laborBlack',
  summary: '提出工人黑名单',
  needs: 'labour.black',
  acts: 'aside',
  query: ofProject,
  body: laborBlackBody,
  response: proposed,
})

export const createCompanyBlack = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/companyBlack',
  summary: '提出企业黑名单',
  needs: 'labour.black',
  acts: 'aside',
  query: ofProject,
  body: companyBlackBody,
  response: proposed,
})

/** Corrects what is not handed in yet, or was sent back. */
export const updateLaborBlack = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/laborBlack/:id/entry',
  summary: '修改工人黑名单',
  needs: 'labour.black',
  acts: 'aside',
  params: id,
  query: ofProject,
  body: laborBlackEdit,
})

export const updateCompanyBlack = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/companyBlack/:id/entry',
  summary: '修改企业黑名单',
  needs: 'labour.black',
  acts: 'aside',
  params: id,
  query: ofProject,
  body: companyBlackEdit,
})

/** What an entry would do, said before it is proposed. */
export const previewLaborBlack = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/laborBlack/preview',
  summary: '预览工人黑名单影响',
  needs: 'labour.black',
  acts: 'aside',
  unaudited: 'a look by POST, so that the number stays out of access logs',
  query: ofProject,
  body: z.object({
    idCardType: dict('idCardType', '证件类型').default('01'),
    idCardNumber: idNumberText().optional(),
    scope: dict('blacklistScope', '范围'),
    ...reachFields,
  }),
  response: z.object({
    projects: z.number().int(),
    /** Where the person is in place, as far as the caller sees. */
    presentAt: z.array(z.string()),
    /** An entry of the same reach that is still open. */
    entryId: z.string().nullable(),
    name: z.string().nullable(),
  }),
})

const scopeAndEnd = { endDate: day.optional(), scope: dict('blacklistScope', '范围').optional(), ...reachFields }

const act = {
  version: z.number().int(),
  opinion: text(500, '意见').default(''),
  files: fileRefs('附件', 6).default([]),
}

const actions = [...(Object.keys(blackMoves) as (keyof typeof blackMoves)[]), 'adjust'] as const

const moveBody = z.object({ action: z.enum(actions), ...act, ...scopeAndEnd })

const needsAll = ['labour.black', 'labour.blackAudit', 'labour.blackAppeal'] as const

/** One step. Which asks for which right stands in `blackMoves`. */
export const changeLaborBlack = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/laborBlack/:id',
  summary: '办理工人黑名单',
  needs: needsAll,
  acts: 'aside',
  params: id,
  query: ofProject,
  body: moveBody,
})

export const changeCompanyBlack = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/companyBlack/:id',
  summary: '办理企业黑名单',
  needs: needsAll,
  acts: 'aside',
  params: id,
  query: ofProject,
  body: moveBody,
})

export const removeLaborBlack = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/laborBlack/:id',
  summary: '删除工人黑名单草稿',
  needs: 'labour.black',
  acts: 'aside',
  params: id,
  query: ofProject,
})

export const removeCompanyBlack = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/companyBlack/:id',
  summary: '删除企业黑名单草稿',
  needs: 'labour.black',
  acts: 'aside',
  params: id,
  query: ofProject,
})
