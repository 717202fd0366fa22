import * as bin from '@zhugong/contract/documents/bin'
import * as contract from '@zhugong/contract/documents/calls'
import * as goods from '@zhugong/contract/documents/goods'
import { listSupervision as supervision } from '@zhugong/contract/documents/supervision'
import * as travel from '@zhugong/contract/documents/travel'
import type { Serve } from '#kit/serve'
import { registerFileCheck } from '../stops/public.ts'
import { emptyBin, listBin, purgeDocument, removeDocument } from './bin.ts'
import { changeDocument } from './change.ts'
import { listGoods, readGood, zipGoods } from './goods.ts'
import { listGrantees } from './grants.ts'
import { openDocument, starDocument, zipDocuments } from './open.ts'
import { listDocumentFolders, listDocuments, readDocument } from './rows.ts'
import { listSupervision, missingOfProject } from './supervision.ts'
import { listTravel, readTravel } from './travel-rows.ts'
import { changeTravel, issueTravel, listTargets, urgeTravel, zipTravel } from './travel-writes.ts'
import { createDocument, createDocumentFolder } from './writes.ts'

/** `folder`: where stored files stand. */
export function documentRoutes(serve: Serve, folder: string): void {
  registerFileCheck(missingOfProject)
  serve(contract.listDocuments, listDocuments)
  serve(contract.listDocumentFolders, listDocumentFolders)
  serve(bin.listBin, listBin)
  serve(contract.zipDocuments, zipDocuments(folder))
  serve(contract.getDocument, readDocument)
  serve(contract.documentGrantees, listGrantees)
  serve(contract.createDocumentFolder, createDocumentFolder)
  serve(contract.createDocument, createDocument)
  serve(contract.changeDocument, changeDocument)
  serve(contract.removeDocument, removeDocument)
  serve(contract.starDocument, starDocument)
  serve(contract.openDocument, openDocument)
  serve(bin.purgeDocument, purgeDocument(folder))
  serve(bin.emptyBin, emptyBin(folder))
  serve(goods.listGoods, listGoods)
  serve(goods.getGoods, readGood)
  serve(goods.zipGoods, zipGoods(folder))
  serve(supervision, listSupervision)
  serve(travel.listTravel, listTravel)
  serve(travel.travelTargets, listTargets)
  serve(travel.getTravel, readTravel)
  serve(travel.zipTravel, zipTravel(folder))
  serve(travel.issueTravel, issueTravel)
  serve(travel.changeTravel, changeTravel)
  serve(travel.urgeTravel, urgeTravel)
}
