import { first, type Samples } from '../first-record.ts'

const station = first('/api/v1/iot/gateway?connType=6&size=1')
const gateway = first('/api/v1/iot/gateway?size=1')
const maker = first('/api/v1/iot/factory?size=1')
const brand = first('/api/v1/iot/brand?size=1')
const model = first('/api/v1/iot/model?size=1')
const docking = first('/api/v1/iot/gateway3rd?size=1')

export const samples: Samples = {
  '/administrationDetails': first('/api/v1/iot/device?size=1'),
  '/gateway/edit': gateway,
  '/gateway/details': gateway,
  '/equipmentDetail/:id': async (api) => (await station(api))?.slice('?id='.length),
  '/gatewayEnv/details': station,
  '/gatewayEnv/details/information': station,
  '/gatewayEnv/details/modelMatch': station,
  '/gatewayEnv/details/projectMatch': station,
  '/manufactor1.1.0/details': maker,
  '/manufactor1.1.0/edit': maker,
  '/brand/details': brand,
  '/brand/edit': brand,
  '/model/details': model,
  '/model/edit': model,
  '/gatewayOther/details': docking,
  '/gatewayOther/edit': docking,
}
