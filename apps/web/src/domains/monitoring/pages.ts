import { pages } from '#kit/pages.ts'
import { cranePages } from './crane/pages.ts'
import { environmentPages } from './environment/pages.ts'
import { formworkPages } from './formwork/pages.ts'
import { gatewayPages } from './gateway/pages.ts'
import { helmetPages } from './helmet/pages.ts'
import { liftPages } from './lift/pages.ts'
import { meterPages } from './meter/pages.ts'
import { pilePages } from './pile/pages.ts'
import { pitPages } from './pit/pages.ts'
import { unloadingPages } from './unloading/pages.ts'
import { vehiclePages } from './vehicle/pages.ts'
import { videoPages } from './video/pages.ts'
import { weighPages } from './weigh/pages.ts'

export const monitoringPages = pages([
  ...cranePages,
  ...environmentPages,
  ...pitPages,
  ...formworkPages,
  ...videoPages,
  ...weighPages,
  ...meterPages,
  ...unloadingPages,
  ...vehiclePages,
  ...gatewayPages,
  ...liftPages,
  ...pilePages,
  ...helmetPages,
])
