import type { getMyAccount } from '@zhugong/contract/identity/my-account'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'

export type Account = OutputFor<typeof getMyAccount>
