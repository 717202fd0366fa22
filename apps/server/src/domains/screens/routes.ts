import * as brand from '@zhugong/contract/organisation/brand'
import * as contract from '@zhugong/contract/screens/endpoints'
import type { Serve } from '#kit/serve'
import { renewScreenToken } from './renewal.ts'
import { batchLoadTemplates, checkScreen, templateTree } from './running.ts'
import { readPresentation, savePresentation } from './setting.ts'
import * as templates from './templates.ts'
import { createScreenToken, listScreenTokens, revokeScreenToken } from './tokens.ts'

export function screenRoutes(serve: Serve) {
  serve(contract.listTemplates, templates.listTemplates)
  serve(contract.getTemplate, templates.getTemplate)
  serve(contract.createTemplate, templates.createTemplate)
  serve(contract.updateTemplate, templates.updateTemplate)
  serve(contract.copyTemplate, templates.copyTemplate)
  serve(contract.removeTemplate, templates.removeTemplate)
  serve(contract.removeTemplates, templates.removeTemplates)
  serve(contract.batchLoadTemplates, batchLoadTemplates)
  serve(contract.templateTree, templateTree)
  serve(contract.checkScreen, checkScreen)
  serve(contract.createScreenToken, createScreenToken)
  serve(contract.listScreenTokens, listScreenTokens)
  serve(contract.renewScreenToken, renewScreenToken)
  serve(contract.revokeScreenToken, revokeScreenToken)
  serve(brand.readPresentation, readPresentation)
  serve(brand.saveBrand, savePresentation)
}
