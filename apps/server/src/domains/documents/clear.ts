import { asProduct, type BackgroundDependencies } from '#kit/background'
import { clearBin } from './bin.ts'

/** Clears entries of recycle bins whose days are over, and logs how many. */
export async function clearBins(deps: BackgroundDependencies, folder: string): Promise<void> {
  const cleared = await asProduct(deps, { userId: '', name: '系统', groupId: '' }, (ctx) => clearBin(ctx, folder))
  if (cleared > 0) deps.log.info({ cleared }, 'entries of recycle bins whose days were over are gone')
}
