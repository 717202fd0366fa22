import type { ScreenBody } from '@zhugong/contract/screens/model'

export interface Draft {
  name: string
  description: string
  body: ScreenBody
}
