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

/** The caller's group limits scope and subject: a site for itself and its contractor, a company for its own, a government for its area. */
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

/** Edits a draft or a returned entry. */
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

/** The effects that an entry would have, before it is proposed. */
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
    /** Projects visible to the caller where the person currently is. */
    presentAt: z.array(z.string()),
    /** An open entry of the same scope. */
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

/** Makes one transition. The permission code of each is in `blackMoves`. */
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
