import { AppError } from '@zhugong/contract/kit/errors'
import { drawnPng } from '#kit/drawn-png'
import type { Item, Step, WorkContext } from './model.ts'

const mostBytes = 49_152

/** Stores a hand-drawn signature, bound to the hash of the decided document. It is not valid for another document. */
export async function keepSignature(ctx: WorkContext, item: Item, step: Step, drawn: string): Promise<string> {
  const image = drawnPng(drawn, mostBytes)
  if (!image) throw new AppError('invalidInput', '签名图片不正确，请重新签名', { field: 'signature' })
  const id = ctx.newId()
  await ctx.db
    .insertInto('workSignature')
    .values({
      id,
      itemId: item.id,
      stepId: step.id,
      userId: ctx.user.id,
      userName: ctx.user.name,
      at: new Date(ctx.clock.now()),
      image,
      hash: item.hash,
    })
    .execute()
  return id
}
